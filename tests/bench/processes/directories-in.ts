import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The environment of a user whose directories all lie in one: nothing of the user who measures is seen or changed. */
export function directoriesIn(root: string): Record<string, string> {
  const env: Record<string, string> = { BERTH_SECRETS_PASSWORD: 'bench' };
  for (const name of ['HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME']) {
    env[name] = join(root, name.toLowerCase());
    mkdirSync(join(root, name.toLowerCase()), { recursive: true });
  }
  return env;
}
