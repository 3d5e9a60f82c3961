import { NO_PROVIDERS, NO_PROVIDERS_FIX } from './check-auth.ts';
import { ConfigError } from './problem.ts';
import type { AuthConfig, LoadedConfig } from './schema.ts';

/**
 * A loaded configuration under another `auth.mode` (the `--auth-mode` of the command line). A configuration that only
 * that mode makes valid does not load without it: give `loadConfig` the mode instead (its `authMode`).
 * @throws ConfigError `config_invalid` when mode oauth has no providers
 */
export function applyAuthMode(loaded: LoadedConfig, mode: AuthConfig['mode']): LoadedConfig {
  const auth = loaded.config.auth ?? { mode, publicPaths: [] };
  if (mode === 'oauth' && auth.oauth === undefined) {
    const message = `--auth-mode: ${NO_PROVIDERS}`;
    throw new ConfigError('config_invalid', [
      { file: loaded.file, line: 1, column: 1, message, fix: NO_PROVIDERS_FIX },
    ]);
  }
  return { ...loaded, config: { ...loaded.config, auth: { ...auth, mode } } };
}
