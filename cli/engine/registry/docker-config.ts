import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const entrySchema = z.looseObject({
  auth: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  identitytoken: z.string().optional(),
});

/** `config.json` of the Docker command line, as far as we read it. */
const dockerConfigSchema = z.looseObject({
  auths: z.record(z.string(), entrySchema).default({}),
  credsStore: z.string().optional(),
  credHelpers: z.record(z.string(), z.string()).default({}),
  currentContext: z.string().optional(),
});
export type DockerConfig = z.infer<typeof dockerConfigSchema>;
export type DockerConfigEntry = z.infer<typeof entrySchema>;

/** The directory of the Docker command line. */
export function dockerConfigDirectory(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  return env.DOCKER_CONFIG || join(home, '.docker');
}

/** Reads a configuration; a missing or broken file is an empty one, as for the Docker command line's own reading of contexts. */
export async function readDockerConfig(file: string): Promise<DockerConfig> {
  try {
    return dockerConfigSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return dockerConfigSchema.parse({});
  }
}
