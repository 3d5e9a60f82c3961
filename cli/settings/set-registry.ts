import { resolve } from 'node:path';
import { openFileRegistry } from '../registry/file-registry.ts';
import { readRegistryBase } from '../registry/registry-url.ts';
import { findNamedFile } from '../run/flags/read-files.ts';
import { changeSettings } from './change-settings.ts';

/**
 * Makes a URL or a catalog or bundle file the registry of a user; `sample` goes back to the shipped catalog. A URL is
 * not contacted. A token file belongs to one registry, so that it goes when another is chosen without one.
 * @returns what the registry is now
 * @throws BerthError when a file is none, `file_unreadable`
 */
export async function setRegistry(
  file: string,
  given: string,
  tokenFile: string | undefined,
): Promise<string> {
  const location = await readLocation(given);
  const token = findNamedFile('--token-file', tokenFile, process.cwd());
  await changeSettings(file, [
    location === undefined ? { path: ['registry'] } : { path: ['registry'], value: location },
    token === undefined ? { path: ['registry-token-file'] } : { path: ['registry-token-file'], value: token },
  ]);
  return location ?? 'the shipped sample catalog';
}

async function readLocation(given: string): Promise<string | undefined> {
  if (given === 'sample') return undefined;
  const base = readRegistryBase(given);
  if (base !== undefined) return base;
  const path = resolve(given);
  await openFileRegistry(path);
  return path;
}
