import { listOption, textOption } from './option-kinds.ts';
import { RemoteAuthOptions } from './remote-auth-options.ts';

/** Exchange of the token of a client for one of the server (specification 5.3). */
export abstract class TokenExchangeOptions extends RemoteAuthOptions {
  tokenExchangeUrl = textOption(
    '--token-exchange-url',
    'token exchange endpoint; giving it turns exchange on',
  );
  tokenExchangeAudience = textOption('--token-exchange-audience', 'audience of exchanged tokens');
  tokenExchangeClientId = textOption('--token-exchange-client-id', 'client id at the endpoint');
  tokenExchangeClientSecret = textOption('--token-exchange-client-secret', 'secret of that client');
  tokenExchangeClientSecretFile = textOption('--token-exchange-client-secret-file', 'file with that secret');
  tokenExchangeHeaderName = textOption(
    '--token-exchange-header-name',
    'header of the exchanged token (default: it replaces Authorization)',
  );
  tokenExchangeScopes = listOption(
    '--token-exchange-scopes',
    'scopes to ask for; repeatable or comma-separated',
  );
  tokenExchangeSubjectTokenType = textOption(
    '--token-exchange-subject-token-type',
    'access_token or id_token (default: access_token)',
  );
}
