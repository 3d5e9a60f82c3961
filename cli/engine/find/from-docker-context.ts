import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { dockerConfigDirectory, readDockerConfig } from '../registry/docker-config.ts';
import type { Candidate, Environment } from './candidate.ts';
import { parseEndpoint } from './parse-endpoint.ts';

const metaSchema = z.looseObject({
  Endpoints: z.looseObject({ docker: z.looseObject({ Host: z.string() }) }),
});

/**
 * The engine of the chosen docker context: DOCKER_CONTEXT, or the current one of the Docker command line.
 *
 * @returns undefined for none and for `default`, which mean the usual sockets
 */
export async function readDockerContext(env: Environment, home: string): Promise<Candidate | undefined> {
  const directory = dockerConfigDirectory(env, home);
  const name = env.DOCKER_CONTEXT || (await readDockerConfig(join(directory, 'config.json'))).currentContext;
  if (!name || name === 'default') return undefined;
  const from = `docker context ${name}`;
  const id = createHash('sha256').update(name).digest('hex');
  const file = join(directory, 'contexts', 'meta', id, 'meta.json');
  try {
    const meta = metaSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    const tls = join(directory, 'contexts', 'tls', id, 'docker');
    return await parseEndpoint(meta.Endpoints.docker.Host, from, existsSync(tls) ? tls : undefined);
  } catch {
    return { name: file, from, problem: 'cannot be read as a docker context' };
  }
}
