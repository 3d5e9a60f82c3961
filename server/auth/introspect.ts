import { z } from 'zod';
import { checkMembers } from './check-members.ts';
import { type Fetch, fetchJson } from './fetch-json.ts';
import type { ProviderSettings } from './provider-settings.ts';
import type { RefusalReason } from './refusal.ts';
import { readSecretFile } from './secret-file.ts';

const MAX_BYTES = 65_536;
const answerSchema = z.record(z.string(), z.unknown());

export type IntrospectionVerdict =
  | { readonly members: Readonly<Record<string, unknown>>; readonly expiresAt: number | undefined }
  | { readonly refused: RefusalReason };

/**
 * Asks a provider about a token (RFC 7662, specification 5.2). The client authenticates with `clientId` and
 * `clientSecretFile`, or else with the token of `authTokenFile`.
 * @param url the provider's `introspectionUrl`
 * @param at milliseconds since the epoch
 * @returns all members of the answer, or why the token is refused
 * @throws BerthError when the provider cannot be asked or its answer is unusable
 */
export async function introspect(
  token: string,
  url: string,
  provider: ProviderSettings,
  deps: {
    readonly fetch: Fetch;
    readonly baseDir: string;
    readonly readClientSecret?: (() => Promise<string>) | undefined;
  },
  at: number,
): Promise<IntrospectionVerdict> {
  const { headers, form } = await authenticateClient(provider, deps);
  const body = new URLSearchParams({ token, token_type_hint: 'access_token', ...form }).toString();
  const request = {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body,
  };
  const answer = answerSchema.safeParse(await fetchJson(deps.fetch, url, request, MAX_BYTES));
  if (!answer.success || answer.data.active !== true) return { refused: 'inactive' };
  const refused = checkMembers(answer.data, provider, at, 'accepted');
  if (refused) return { refused };
  const { exp } = answer.data;
  return { members: answer.data, expiresAt: typeof exp === 'number' ? exp * 1000 : undefined };
}

async function authenticateClient(
  provider: ProviderSettings,
  {
    baseDir,
    readClientSecret,
  }: { readonly baseDir: string; readonly readClientSecret?: (() => Promise<string>) | undefined },
): Promise<{ headers: Record<string, string>; form: Record<string, string> }> {
  const { clientId, clientSecretFile, authTokenFile } = provider;
  const readSecret =
    readClientSecret ??
    (clientSecretFile === undefined ? undefined : () => readSecretFile(baseDir, clientSecretFile));
  if (clientId !== undefined && readSecret !== undefined) {
    const secret = await readSecret();
    // Percent-encoding is what form decoders and URI decoders both read (RFC 6749, 2.3.1).
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`;
    return { headers: { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, form: {} };
  }
  const form: Record<string, string> = clientId === undefined ? {} : { client_id: clientId };
  if (authTokenFile === undefined) return { headers: {}, form };
  return { headers: { Authorization: `Bearer ${await readSecretFile(baseDir, authTokenFile)}` }, form };
}
