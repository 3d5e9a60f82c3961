import { messageOf } from '../../sources/errors.ts';
import { type Fetch, fetchJson } from './fetch-json.ts';
import { type IntrospectionVerdict, introspect } from './introspect.ts';
import type { JwtOutline } from './jwt-outline.ts';
import { createKeyLocator } from './key-locator.ts';
import { createProviderKeys, type ProviderKeys } from './provider-keys.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { readSecretFile } from './secret-file.ts';
import { type JwtVerdict, verifyJwt } from './verify-jwt.ts';

/** Takes one line of the service's log. Fields never hold a token or a secret. */
export type AuthLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  fields: Readonly<Record<string, unknown>>,
  message: string,
) => void;

export interface ProviderDeps {
  readonly fetch: Fetch;
  /** Where relative paths of the configuration start. */
  readonly baseDir: string;
  /** The client secret for introspection, in the place of `clientSecretFile`; read at each use. */
  readonly readClientSecret?: (() => Promise<string>) | undefined;
  readonly now: () => number;
  readonly log: AuthLog;
}

/** One identity provider at work. Its verdicts never throw: trouble with the provider is a refusal and a log line. */
export interface Provider {
  readonly name: string;
  /** undefined: tokens of any issuer that its keys verify. */
  readonly issuerUrl: string | undefined;
  /** Whether JWTs can be verified: its keys can be found. */
  readonly verifies: boolean;
  readonly keys: ProviderKeys;
  readonly introspects: boolean;
  verify(token: string, outline: JwtOutline): Promise<JwtVerdict>;
  introspect(token: string): Promise<IntrospectionVerdict>;
}

/** A JWKS document with certificate chains is long; a discovery document is not. */
const MAX_KEYS_BYTES = 524_288;
const MAX_DISCOVERY_BYTES = 65_536;
/** A provider that is down is reported once in this time, not once per request. */
const REPORT_EVERY_MS = 5_000;

/** Starts a provider. Nothing is fetched before its first token (contract 12.12). */
export function createProvider(config: ProviderSettings, deps: ProviderDeps): Provider {
  const { now, log, baseDir } = deps;
  let reportedAt = Number.NEGATIVE_INFINITY;
  const report = (message: string, error: unknown): void => {
    if (now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = now();
    log('warn', { provider: config.name, error: messageOf(error) }, message);
  };
  const get = async (url: string, maxBytes: number): Promise<unknown> => {
    const bearer = config.authTokenFile && (await readSecretFile(baseDir, config.authTokenFile));
    const headers: Record<string, string> = bearer ? { Authorization: `Bearer ${bearer}` } : {};
    return fetchJson(deps.fetch, url, { headers }, maxBytes);
  };
  const locator = createKeyLocator(config, (url) => get(url, MAX_DISCOVERY_BYTES), now);
  const keys = createProviderKeys(
    async () => get(await locator.locate(), MAX_KEYS_BYTES),
    now,
    (error) => {
      locator.forget();
      report('the signing keys of an identity provider could not be loaded', error);
    },
  );
  const { introspectionUrl } = config;
  return {
    name: config.name,
    issuerUrl: config.issuerUrl,
    keys,
    verifies: config.jwksUrl !== undefined || config.issuerUrl !== undefined,
    introspects: introspectionUrl !== undefined,
    async verify(token, outline) {
      try {
        return await verifyJwt(token, outline, config, keys, now());
      } catch (error) {
        report('a token could not be verified because its provider is unavailable', error);
        return { refused: 'provider_unavailable' };
      }
    },
    async introspect(token) {
      if (introspectionUrl === undefined) return { refused: 'inactive' };
      try {
        return await introspect(token, introspectionUrl, config, deps, now());
      } catch (error) {
        report('a token could not be introspected', error);
        return { refused: 'provider_unavailable' };
      }
    },
  };
}
