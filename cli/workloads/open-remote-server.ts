import type { Backend } from '../proxy/exchange.ts';
import { createHttpBackend } from '../proxy/http/create-http-backend.ts';
import { readCaBundle } from '../read-ca-bundle.ts';
import type { ClosingSteps } from './open-parts.ts';
import type { OpenedServer, ServerContext } from './opened-server.ts';

const PROBE_MS = 4_000;

/**
 * The end of the chain for a remote server: there is nothing to start, only somebody to ask.
 * @throws BerthError `secret_missing`
 */
export async function openRemoteServer(
  { state, log, secrets, onUnauthenticated }: ServerContext,
  closing: ClosingSteps,
): Promise<OpenedServer> {
  const { plan } = state;
  const url = plan.server.kind === 'remote' ? new URL(plan.server.url) : undefined;
  const { createRemoteCredentials } = await import('../remote/create-remote-credentials.ts');
  const remote = await createRemoteCredentials(plan, { secrets, log, onUnauthenticated });
  const { resolveForwardHeaders } = await import('../remote/resolve-forward-headers.ts');
  const forwarded = lowerNames(await resolveForwardHeaders(plan, secrets));
  const ca = readCaBundle(plan.caBundle);
  const backend = createHttpBackend({
    target: () => url,
    transport: plan.transport === 'sse' ? 'sse' : 'streamable-http',
    proxy: plan.proxy,
    isRemote: true,
    log,
    credentials: async () => ({
      ...forwarded,
      // An exchanged token of the caller takes the place of ours.
      ...(plan.tokenExchange === undefined ? await remote?.headers() : {}),
    }),
    onUnauthorized: () => remote?.reportUnauthorized(),
    // A token that was exchanged for the caller's is not ours to renew.
    renewCredentials: plan.tokenExchange === undefined ? remote?.renew : undefined,
    ...(ca === undefined ? {} : { ca }),
  });
  closing.add(() => backend.close());
  return {
    plan,
    engine: undefined,
    backend,
    contributions: remote === undefined ? [] : [remote.contribution],
    askHealth: () => askRemote(backend),
    launcher: {
      launch: () => Promise.resolve(),
      isIntact: () => Promise.resolve(true),
      discard: () => Promise.resolve(),
    },
  };
}

/** A remote is not bothered while calls get through; one that could not be reached is asked until it can. */
async function askRemote(backend: Backend): Promise<boolean> {
  if (backend.isAvailable?.() !== false) return true;
  try {
    await backend.probe(AbortSignal.timeout(PROBE_MS));
    return true;
  } catch {
    return false;
  }
}

function lowerNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
