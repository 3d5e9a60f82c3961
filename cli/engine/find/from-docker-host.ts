import { join } from 'node:path';
import { dockerConfigDirectory } from '../registry/docker-config.ts';
import type { Candidate, Environment } from './candidate.ts';
import { parseEndpoint } from './parse-endpoint.ts';

/** The engine DOCKER_HOST names; undefined when it is not set. */
export async function readDockerHost(env: Environment, home: string): Promise<Candidate | undefined> {
  const host = env.DOCKER_HOST;
  if (!host) return undefined;
  const tlsDirectory = env.DOCKER_TLS_VERIFY
    ? env.DOCKER_CERT_PATH || join(dockerConfigDirectory(env, home))
    : undefined;
  return parseEndpoint(host, 'DOCKER_HOST', tlsDirectory);
}
