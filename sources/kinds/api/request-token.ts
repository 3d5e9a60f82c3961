import { z } from 'zod';
import type { ApiSource } from '../../config/schema.ts';
import { BerthError } from '../../errors.ts';
import { refuseOpenLine } from './endpoint.ts';
import { readSecret } from './read-secret.ts';

export type ClientCredentials = NonNullable<NonNullable<ApiSource['auth']>['clientCredentials']>;

export interface AccessToken {
  readonly value: string;
  /** Milliseconds it may be used for. */
  readonly lifetime: number;
}

/** For a token of which nothing is said; it is renewed earlier when it is refused. */
const UNSAID_LIFETIME_S = 300;

const answerSchema = z.looseObject({
  access_token: z.string().regex(/^[\x21-\x7e]+$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.coerce.number().positive().optional(),
});
const failureSchema = z.looseObject({ error: z.string().regex(/^[a-z_]{1,40}$/) });

/**
 * Obtains a token by the client credentials grant (RFC 6749 section 4.4), the client authenticated by Basic.
 *
 * @throws BerthError `source_denied` when the client is refused, `source_invalid` when the answer holds no bearer
 *   token, `source_unreachable` for another answer, `source_url_insecure`, `source_secret_unreadable`; what `fetch`
 *   throws
 */
export async function requestToken(
  client: ClientCredentials,
  baseDir: string,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<AccessToken> {
  const url = new URL(client.tokenUrl);
  const at = { url: `${url.origin}${url.pathname}` };
  refuseOpenLine(url, at.url);
  const secret = await readSecret(
    client.clientSecretFile,
    'auth.clientCredentials.clientSecretFile',
    baseDir,
  );
  const pair = `${encodeForm(client.clientId)}:${encodeForm(secret)}`;
  const response = await fetch(client.tokenUrl, {
    method: 'POST',
    redirect: 'error',
    signal,
    headers: {
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      ...(client.scope === undefined ? {} : { scope: client.scope }),
    }).toString(),
  });
  const answer = parseJson(await response.text());
  if (response.status === 400 || response.status === 401 || response.status === 403) {
    const failure = failureSchema.safeParse(answer);
    const reason = failure.success ? ` (${failure.data.error})` : '';
    throw new BerthError('source_denied', `The token endpoint answers ${response.status}${reason}.`, {
      at,
      fix: 'Correct `clientId`, the client secret or `scope`.',
    });
  }
  if (response.status !== 200) {
    throw new BerthError('source_unreachable', `The token endpoint answers ${response.status}.`, {
      at,
      fix: 'Check `tokenUrl`; the source is tried again at the next interval.',
    });
  }
  const token = answerSchema.safeParse(answer);
  if (!token.success) {
    throw new BerthError('source_invalid', 'The token endpoint answers without a bearer token.', {
      at,
      fix: 'Correct `tokenUrl`: it must name an OAuth token endpoint.',
    });
  }
  return { value: token.data.access_token, lifetime: (token.data.expires_in ?? UNSAID_LIFETIME_S) * 1000 };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Client id and secret are form-encoded before they are joined (RFC 6749 section 2.3.1). */
function encodeForm(text: string): string {
  return new URLSearchParams({ text }).toString().slice('text='.length);
}
