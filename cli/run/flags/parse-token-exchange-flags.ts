import type { RunOptionValues } from '../run-options.ts';
import { refuseFlag } from './flag-error.ts';
import { findNameFault } from './read-forward-headers.ts';
import { readGivenSecret } from './read-given-secret.ts';
import { readList, readText, readUrl, readWord } from './read-values.ts';
import type { RunFlags } from './run-flags.ts';
import { withoutAbsent } from './without-absent.ts';

type ExchangeFlags = Pick<RunFlags, 'tokenExchange' | 'given' | 'warnings'>;

/** The flags of specification 5.3; giving the URL is what turns the exchange on. @throws UsageError, BerthError */
export function parseTokenExchangeFlags(options: RunOptionValues, cwd: string): ExchangeFlags {
  const url = readUrl('--token-exchange-url', options.tokenExchangeUrl);
  const secret = readGivenSecret(
    '--token-exchange-client-secret',
    options.tokenExchangeClientSecret,
    options.tokenExchangeClientSecretFile,
    cwd,
  );
  const parts = withoutAbsent({
    audience: readText('--token-exchange-audience', options.tokenExchangeAudience),
    clientId: readText('--token-exchange-client-id', options.tokenExchangeClientId),
    headerName: readHeaderName(options.tokenExchangeHeaderName),
    scopes: readList('--token-exchange-scopes', options.tokenExchangeScopes),
    subjectTokenType: readWord('--token-exchange-subject-token-type', options.tokenExchangeSubjectTokenType, [
      'access_token',
      'id_token',
    ]),
  });
  if (url === undefined) {
    const idle = secret !== undefined || Object.keys(parts).length > 0;
    const line = 'The --token-exchange flags have no effect without --token-exchange-url.';
    return { given: {}, warnings: idle ? [line] : [] };
  }
  return {
    tokenExchange: { url, ...parts },
    given: withoutAbsent({ tokenExchangeClientSecret: secret }),
    warnings: [],
  };
}

function readHeaderName(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const fault = findNameFault(given);
  if (fault === undefined) return given;
  throw refuseFlag('--token-exchange-header-name', `"${given}" ${fault}.`);
}
