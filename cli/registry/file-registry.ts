import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { openBundle } from '../../sources/bundle/open-bundle.ts';
import { readCatalog } from '../../sources/catalog/read-catalog.ts';
import { BerthError, messageOf } from '../../sources/errors.ts';
import { createListedRegistry } from './listed-registry.ts';
import { readRegistryEntry, toRegistryEntry } from './read-registry-entry.ts';
import type { RegistryClient, RegistryEntry } from './registry-client.ts';

const BUNDLE_MAGIC = 'BERTHB';

/**
 * A registry in a catalog file of any form of the registry contract, or in a compiled bundle.
 * @param file absolute path
 * @param location what is told to people; the file unless given
 * @throws BerthError `registry_file_unreadable`, `catalog_unreadable`, `bundle_unreadable`
 */
export async function openFileRegistry(file: string, location: string = file): Promise<RegistryClient> {
  const bytes = await readBytes(file);
  const isBundle = bytes.subarray(0, BUNDLE_MAGIC.length).toString('latin1') === BUNDLE_MAGIC;
  return createListedRegistry(
    location,
    isBundle ? readBundleEntries(bytes) : readCatalogEntries(bytes, file),
  );
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new BerthError(
      'registry_file_unreadable',
      `The registry file cannot be read (${messageOf(cause)}).`,
      {
        at: { file },
        fix: 'Choose another one with `berth registry set`.',
        cause,
      },
    );
  }
}

function readCatalogEntries(bytes: Buffer, file: string): RegistryEntry[] {
  const catalog = readCatalog(
    { layout: 'file', files: [{ path: file, bytes }], origin: { kind: 'file' }, digest: '' },
    { sourceName: basename(file) },
  );
  return catalog.entries.filter(({ type }) => type === 'server').map(toRegistryEntry);
}

function readBundleEntries(bytes: Buffer): RegistryEntry[] {
  // Sections are read as arrays of numbers, which have to begin at a multiple of 8.
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  const { servers } = openBundle(aligned, '', undefined, 0);
  return Array.from({ length: servers.rowCount }, (_, row) => {
    const server: unknown = JSON.parse(servers.bodyOf(row));
    const read = readRegistryEntry(server);
    if ('fault' in read) {
      throw new BerthError(
        'registry_answer_invalid',
        `The bundle holds an entry that is none: ${read.fault}.`,
      );
    }
    return { ...read.entry, status: servers.statusOf(row) };
  });
}
