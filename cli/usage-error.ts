import { BerthError, type BerthErrorOptions } from '../sources/errors.ts';

/** A command line that cannot be understood; the process ends with 2 (any other failure ends it with 1). */
export class UsageError extends BerthError {
  constructor(what: string, options: BerthErrorOptions = {}) {
    super('usage_invalid', what, options);
    this.name = 'UsageError';
  }
}
