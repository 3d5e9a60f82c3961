import { createAuthenticator } from '../../../server/auth/authenticator.ts';
import { formatChallenge } from '../../../server/auth/challenge.ts';
import type { Fetch } from '../../../server/auth/fetch-json.ts';
import { type AuthFailure, isFailure } from '../../../server/auth/identity.ts';
import type { AuthSettings, ProviderSettings } from '../../../server/auth/provider-settings.ts';
import { answerProblem, HttpError } from '../../../server/http/problem.ts';
import { BerthError } from '../../../sources/errors.ts';
import type { OidcPlan, Plan } from '../../run/plan.ts';
import { requireSecret } from '../../secrets/require-secret.ts';
import type { SecretStore } from '../../secrets/secret-store.ts';
import type { Contribution, Exchange } from '../exchange.ts';
import type { ProxyLog } from '../proxy.ts';
import { findMetadataUrl } from '../resource-url.ts';
import { createOidcFetch } from './create-oidc-fetch.ts';

const REALM = 'berth';

export interface AuthenticationDeps {
  readonly secrets: SecretStore;
  readonly log: ProxyLog;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** For tests: in the place of the guarded fetch. */
  readonly fetch?: Fetch;
}

/**
 * The link that lets nobody pass without a valid token (specification 5.1, contract 5): the registry's own check of
 * tokens, with the provider that the `--oidc-*` flags describe.
 *
 * @returns undefined when no provider is configured
 * @throws BerthError `oidc_incomplete` when there is no way to check a token, `oidc_insecure`, `secret_missing`,
 *   `ca_bundle_unreadable`
 */
export async function createAuthenticationContribution(
  plan: Pick<Plan, 'oidc' | 'caBundle' | 'proxy' | 'transport' | 'server'>,
  { secrets, log, now, fetch: given }: AuthenticationDeps,
): Promise<Contribution | undefined> {
  const { oidc } = plan;
  if (oidc === undefined) return undefined;
  requireWayToCheck(oidc);
  const { clientSecret } = oidc;
  const secret = clientSecret === undefined ? undefined : await requireSecret(secrets, clientSecret);
  if (oidc.audience === undefined) {
    log('warn', {}, 'tokens for any audience are accepted: --oidc-audience is not given');
  }
  const fetch = given ?? createOidcFetch(oidc, plan.caBundle);
  const authenticator = createAuthenticator(describeProvider(oidc), {
    baseDir: process.cwd(),
    keepsMembers: true,
    log,
    ...(now === undefined ? {} : { now }),
    fetchFor: () => fetch,
    ...(secret === undefined ? {} : { readClientSecret: () => Promise.resolve(secret) }),
  });
  return {
    stages: {
      authentication: async (exchange, next) => {
        const { authorization } = exchange.request.headers;
        const result = await authenticator.authenticate(authorization, exchange.path);
        if (isFailure(result)) {
          refuse(exchange, result, findMetadataUrl(exchange.request, plan));
          return;
        }
        exchange.identity = result;
        exchange.claims = result.members ?? {};
        exchange.bearer = authorization?.slice(authorization.indexOf(' ') + 1);
        // The token is for this proxy and the server behind it; a remote server is somebody else.
        if (plan.server.kind === 'remote') exchange.outgoing.set('authorization', null);
        await next();
      },
    },
    needsMcp: false,
    close: async () => undefined,
  };
}

function requireWayToCheck({ issuer, jwksUrl, introspectionUrl, insecureAllowHttp }: OidcPlan): void {
  if (issuer?.startsWith('http:') && !insecureAllowHttp) {
    throw new BerthError('oidc_insecure', 'The issuer of tokens is not an https URL.', {
      at: { flag: '--oidc-issuer' },
      fix: 'Use an https issuer, or --oidc-insecure-allow-http for tests.',
    });
  }
  if ((issuer ?? jwksUrl ?? introspectionUrl) !== undefined) return;
  throw new BerthError('oidc_incomplete', 'Tokens are to be checked, but nothing says who issues them.', {
    at: { flag: '--oidc-issuer' },
    fix: 'Give --oidc-issuer, --oidc-jwks-url or --oidc-introspection-url.',
  });
}

function describeProvider(oidc: OidcPlan): AuthSettings {
  const provider: ProviderSettings = {
    name: 'oidc',
    issuerUrl: oidc.issuer,
    audience: oidc.audience,
    allowPrivateIP: oidc.allowPrivateIp,
    insecureAllowHttp: oidc.insecureAllowHttp,
    ...(oidc.jwksUrl === undefined ? {} : { jwksUrl: oidc.jwksUrl }),
    ...(oidc.introspectionUrl === undefined ? {} : { introspectionUrl: oidc.introspectionUrl }),
    ...(oidc.clientId === undefined ? {} : { clientId: oidc.clientId }),
    ...(oidc.authTokenFile === undefined ? {} : { authTokenFile: oidc.authTokenFile }),
  };
  const oauth = { resourceUrl: '', realm: REALM, publicPaths: [], providers: [provider] };
  return { mode: 'oauth', publicPaths: [], oauth };
}

/** As the registry refuses (its contract 7), with the way to the metadata of this resource (RFC 9728). */
function refuse({ response, outcome, requestId }: Exchange, failure: AuthFailure, metadataUrl: string): void {
  outcome.refusal = 'unauthenticated';
  outcome.notes.authentication = failure.reason;
  const challenge = `${formatChallenge(failure, { realm: REALM })}, resource_metadata="${metadataUrl}"`;
  const error = new HttpError(401, 'unauthenticated', failure.description, {
    headers: { 'WWW-Authenticate': challenge },
  });
  const { status, headers, body } = answerProblem(error, requestId);
  response.writeHead(status, headers);
  response.end(body);
}
