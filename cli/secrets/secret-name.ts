import { UsageError } from '../usage-error.ts';
import { isSystemSecret, SYSTEM_PREFIX } from './secret-store.ts';

/** A comma would end the name in `--secret NAME,target=TARGET`; blanks at the ends are typing errors. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const NAME = /^(?! )[^,\u0000-\u001f\u007f]{1,256}(?<! )$/;

/**
 * What a value given by flag is kept as, `berth.<workload>.<what>`. An exported configuration refers to it by that
 * name, so whoever runs one elsewhere has to be able to set it.
 */
const GIVEN_BY_FLAG =
  /^berth\.[^,]+\.(?:(?:oidc-client|remote-auth-client|token-exchange-client)-secret|remote-auth-bearer-token|(?:env|header|otel-header)\.[^,]+)$/;

/**
 * Checks the name of a secret that somebody wants to set.
 * @throws UsageError
 */
export function checkSecretName(name: string): void {
  if (!NAME.test(name)) {
    throw new UsageError('That cannot be the name of a secret.', {
      fix: 'Use 1 to 256 characters without commas and control characters.',
    });
  }
  if (isSystemSecret(name) && !GIVEN_BY_FLAG.test(name)) {
    throw new UsageError(`Names that begin with "${SYSTEM_PREFIX}" are those of berth itself.`, {
      fix: 'Choose another name.',
    });
  }
}
