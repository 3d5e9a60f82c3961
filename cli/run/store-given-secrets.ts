import { type SecretStore, SYSTEM_PREFIX } from '../secrets/secret-store.ts';
import type { Plan } from './plan.ts';

/** Secret values a user gave by flag, file or prompt. */
export interface GivenSecrets {
  readonly oidcClientSecret?: string;
  readonly remoteAuthClientSecret?: string;
  readonly remoteAuthBearerToken?: string;
  readonly tokenExchangeClientSecret?: string;
  /** Environment variable to value. */
  readonly env?: Readonly<Record<string, string>>;
  /** Header of OTLP requests to value. */
  readonly telemetryHeaders?: Readonly<Record<string, string>>;
  /** Forwarded header to value. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Secrets of another workload, by the names their copies get (`adoptSecrets`). */
  readonly copies?: ReadonlyMap<string, string>;
}

/**
 * Keeps the secret values that were given under names of the workload, `berth.<workload>.<what>`, and answers the plan
 * with references to them (contract 8 "Secrets"). To be called when the name of the plan is final; does not touch the
 * store when nothing was given.
 */
export async function storeGivenSecrets(
  plan: Plan,
  given: GivenSecrets,
  store: Pick<SecretStore, 'set'>,
): Promise<Plan> {
  const { plan: referring, values } = referToSecrets(plan, given);
  for (const [name, value] of values) await store.set(name, value);
  return referring;
}

/** The plan with references to the secrets that were given, and the values by the names they are to be kept under. */
export function referToSecrets(
  plan: Plan,
  given: GivenSecrets,
): { readonly plan: Plan; readonly values: ReadonlyMap<string, string> } {
  const values = new Map<string, string>();
  const refer = (what: string, value: string): string => {
    const name = `${SYSTEM_PREFIX}${plan.name}.${what}`;
    values.set(name, value);
    return name;
  };
  const next = structuredClone(plan);
  if (given.oidcClientSecret !== undefined && next.oidc) {
    next.oidc.clientSecret = refer('oidc-client-secret', given.oidcClientSecret);
  }
  if (next.remoteAuth && given.remoteAuthClientSecret !== undefined) {
    next.remoteAuth.clientSecret = refer('remote-auth-client-secret', given.remoteAuthClientSecret);
  }
  if (next.remoteAuth && given.remoteAuthBearerToken !== undefined) {
    next.remoteAuth.bearerToken = refer('remote-auth-bearer-token', given.remoteAuthBearerToken);
  }
  if (next.tokenExchange && given.tokenExchangeClientSecret !== undefined) {
    next.tokenExchange.clientSecret = refer('token-exchange-client-secret', given.tokenExchangeClientSecret);
  }
  for (const [variable, value] of Object.entries(given.env ?? {})) {
    next.secrets[variable] = refer(`env.${variable}`, value);
    delete next.env[variable];
  }
  for (const [header, value] of Object.entries(given.telemetryHeaders ?? {})) {
    if (next.telemetry) next.telemetry.headers[header] = refer(`otel-header.${header}`, value);
  }
  const headers = Object.entries(given.headers ?? {});
  if (headers.length > 0) next.forwardHeaders ??= { plain: {}, secret: {} };
  for (const [header, value] of headers) {
    if (next.forwardHeaders) next.forwardHeaders.secret[header] = refer(`header.${header}`, value);
  }
  return { plan: next, values };
}
