import { readFile } from 'node:fs/promises';
import { BerthError, messageOf } from '../../sources/errors.ts';
import type { Settings } from '../settings/settings.ts';
import { openFileRegistry } from './file-registry.ts';
import { findSampleCatalog } from './find-sample-catalog.ts';
import { createHttpRegistry } from './http-registry.ts';
import type { RegistryClient } from './registry-client.ts';
import { readRegistryBase } from './registry-url.ts';

const TIMEOUT_MS = 15_000;
const MOST_BYTES = 50_000_000;

export interface RegistryDependencies {
  /** The token of `registry login` for the registry of that base URL; undefined: not logged in. */
  readonly registryToken?: (base: string) => Promise<string | undefined>;
  /** PEM text of `--berth-ca-bundle`. */
  readonly ca?: string;
  /** For tests. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Opens the registry of the settings: a URL of any v0.1 registry, a catalog or bundle file, or the shipped sample
 * catalog (contract 2 and 8). A URL is not contacted before something is asked.
 * @throws BerthError `registry_file_unreadable`, `catalog_unreadable`, `bundle_unreadable`, `registry_not_usable`
 */
export async function openRegistry(
  settings: Pick<Settings, 'registry' | 'registry-token-file'>,
  dependencies: RegistryDependencies = {},
): Promise<RegistryClient> {
  const { registry } = settings;
  if (registry === undefined) return openFileRegistry(findSampleCatalog(), 'sample');
  const base = readRegistryBase(registry);
  if (base === undefined) return openFileRegistry(registry);
  return createHttpRegistry({
    base,
    fetch: dependencies.fetch ?? (await createFetch(dependencies.ca)),
    token: async () => {
      const file = settings['registry-token-file'];
      return file === undefined ? dependencies.registryToken?.(base) : readTokenFile(file);
    },
  });
}

/** The user chose the registry, so that private and loopback addresses are no matter. */
async function createFetch(ca: string | undefined): Promise<typeof globalThis.fetch> {
  const { createGuardedFetch } = await import('../../sources/net/guarded-fetch.ts');
  return createGuardedFetch({
    allowPrivate: true,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MOST_BYTES,
    ...(ca === undefined ? {} : { ca }),
  });
}

async function readTokenFile(file: string): Promise<string> {
  let token: string;
  try {
    token = (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    throw new BerthError(
      'registry_token_unreadable',
      `The token file cannot be read (${messageOf(cause)}).`,
      {
        at: { file },
        fix: 'Set it again with `berth registry set URL --token-file FILE`.',
        cause,
      },
    );
  }
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new BerthError('registry_token_unreadable', 'The token file holds no token.', { at: { file } });
}
