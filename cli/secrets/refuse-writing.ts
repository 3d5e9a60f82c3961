import { BerthError } from '../../sources/errors.ts';

/** @throws BerthError `secrets_read_only`, always */
export function refuseWriting(provider: string, name: string, fix: string): never {
  throw new BerthError(
    'secrets_read_only',
    `The secret "${name}" cannot be changed: the provider "${provider}" is read-only.`,
    { fix },
  );
}
