import { join } from 'node:path';
import { askCredentialHelper } from './ask-credential-helper.ts';
import {
  type DockerConfig,
  type DockerConfigEntry,
  dockerConfigDirectory,
  readDockerConfig,
} from './docker-config.ts';

/** What the engine's API takes as credentials of a registry. */
export interface RegistryCredentials {
  readonly username?: string;
  readonly password?: string;
  readonly identitytoken?: string;
  readonly serveraddress: string;
}

/** Finds the credentials for a registry host (`docker.io`, `ghcr.io`); undefined when the user has none. */
export type FindCredentials = (host: string) => Promise<RegistryCredentials | undefined>;

/** Docker Hub is kept under the address of its first version. */
const HUB = 'https://index.docker.io/v1/';

/**
 * Finds the credentials that `docker login` or `podman login` left: a helper named for the registry, the helper for all,
 * or the entry in the file itself.
 *
 * @param env DOCKER_CONFIG, XDG_RUNTIME_DIR, PATH and what the helpers need
 */
export function createFindCredentials(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): FindCredentials {
  const files = [
    join(dockerConfigDirectory(env, home), 'config.json'),
    ...(env.XDG_RUNTIME_DIR ? [join(env.XDG_RUNTIME_DIR, 'containers', 'auth.json')] : []),
    join(home, '.config', 'containers', 'auth.json'),
  ];
  return async (host) => {
    for (const file of files) {
      const found = await searchConfig(await readDockerConfig(file), host, env);
      if (found) return found;
    }
    return undefined;
  };
}

async function searchConfig(
  config: DockerConfig,
  host: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<RegistryCredentials | undefined> {
  const names = host === 'docker.io' ? [HUB, 'index.docker.io', 'docker.io'] : [host, `https://${host}`];
  for (const serveraddress of names) {
    const helper = config.credHelpers[serveraddress] ?? config.credsStore;
    const helped = helper && (await askCredentialHelper(helper, serveraddress, env));
    if (helped) return { ...helped, serveraddress };
    const entry = config.auths[serveraddress];
    const kept = entry && readEntry(entry);
    if (kept) return { ...kept, serveraddress };
  }
  return undefined;
}

function readEntry(entry: DockerConfigEntry): Omit<RegistryCredentials, 'serveraddress'> | undefined {
  if (entry.identitytoken) return { identitytoken: entry.identitytoken };
  if (entry.username && entry.password) return { username: entry.username, password: entry.password };
  const plain = Buffer.from(entry.auth ?? '', 'base64').toString('utf8');
  const colon = plain.indexOf(':');
  if (colon < 1) return undefined;
  return { username: plain.slice(0, colon), password: plain.slice(colon + 1).replace(/\0+$/, '') };
}
