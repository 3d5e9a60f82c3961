import { BerthError } from '../../../sources/errors.ts';
import { UsageError } from '../../usage-error.ts';

/** A flag whose value cannot be understood (exit 2). */
export function refuseFlag(flag: string, what: string, fix?: string): UsageError {
  return new UsageError(what, { at: { flag }, ...(fix === undefined ? {} : { fix }) });
}

/** A flag that names something the world does not have (exit 1). */
export function refuseWorld(code: string, flag: string, what: string, fix?: string): BerthError {
  return new BerthError(code, what, { at: { flag }, ...(fix === undefined ? {} : { fix }) });
}
