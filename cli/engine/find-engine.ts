import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { BerthError } from '../../sources/errors.ts';
import { createDockerEngine } from './docker/create-docker-engine.ts';
import type { Engine } from './engine.ts';
import type { Candidate, EngineAddress, Environment } from './find/candidate.ts';
import { readDockerContext } from './find/from-docker-context.ts';
import { readDockerHost } from './find/from-docker-host.ts';
import { pingEngine } from './find/ping-engine.ts';
import { listUsualSockets } from './find/usual-sockets.ts';
import { createFindCredentials } from './registry/find-credentials.ts';

const PING_TIMEOUT_MS = 3_000;

/**
 * Finds the container engine (contract 3): DOCKER_HOST and nothing else when it is set, then the docker context, then
 * the usual sockets. The first that answers is taken.
 *
 * @param env the environment of the user
 * @param options `home` is the user's home directory; `root` takes the place of `/` before the sockets of the system
 * @throws BerthError `engine_unavailable` naming every address that was tried and what came of it
 */
export async function findEngine(
  env: Environment,
  options: { readonly home: string; readonly root?: string },
): Promise<Engine> {
  const tried: { readonly candidate: Candidate; readonly problem: string }[] = [];
  for (const candidate of await listCandidates(env, options.home, options.root ?? '/')) {
    const { address } = candidate;
    const problem = address ? await pingEngine(address, PING_TIMEOUT_MS) : candidate.problem;
    if (address && problem === undefined) {
      return openEngine(address, candidate.name, env, options.home);
    }
    tried.push({ candidate, problem: problem ?? 'cannot be used' });
  }
  throw explainAbsence(tried);
}

async function listCandidates(env: Environment, home: string, root: string): Promise<readonly Candidate[]> {
  const given = await readDockerHost(env, home);
  if (given) return [given];
  const context = await readDockerContext(env, home);
  return [...(context ? [context] : []), ...listUsualSockets(env, home, root)];
}

async function openEngine(
  address: EngineAddress,
  name: string,
  env: Environment,
  home: string,
): Promise<Engine> {
  const { default: Dockerode } = await import('dockerode');
  // Connections that are not kept cannot have died with an engine that restarted.
  const agent = new (address.kind === 'tcp' && address.tls ? SecureAgent : Agent)({ keepAlive: false });
  const options = {
    agent,
    // Both named always: what is left out the library takes from DOCKER_HOST of this process.
    ...(address.kind === 'socket'
      ? { socketPath: address.path, host: undefined, port: undefined, protocol: 'http' as const }
      : {
          socketPath: undefined,
          host: address.host,
          port: address.port,
          protocol: address.tls ? ('https' as const) : ('http' as const),
          ca: address.tls?.ca,
          cert: address.tls?.cert,
          key: address.tls?.key,
        }),
  };
  return createDockerEngine(new Dockerode(options), name, createFindCredentials(env, home));
}

function explainAbsence(tried: readonly { readonly candidate: Candidate; readonly problem: string }[]) {
  const lines = tried.map(
    ({ candidate, problem }) =>
      `${candidate.name}${candidate.from ? ` (${candidate.from})` : ''}: ${problem}`,
  );
  const isDenied = tried.some(({ problem }) => problem === 'permission denied');
  return new BerthError('engine_unavailable', `No container engine answers. Tried ${lines.join('; ')}.`, {
    fix: isDenied
      ? 'Add yourself to the group docker (`sudo usermod -aG docker $USER`, then log in again), or use a rootless engine.'
      : 'Start Docker or Podman, or set DOCKER_HOST to the socket of a running engine.',
  });
}
