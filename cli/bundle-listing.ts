import type { BundleRecord, Manifest } from '../sources/bundle/manifest.ts';
import { countWords } from './format-numbers.ts';
import { printTable } from './print-table.ts';

export interface ListedBundle extends BundleRecord {
  readonly source: string;
  readonly current: boolean;
}

const SHOWN_HASH = 12;

/** Every bundle a store keeps: sources by name, of each the newest first. */
export function listBundles(manifest: Manifest): ListedBundle[] {
  return Object.entries(manifest.sources).flatMap(([source, { current, bundles }]) =>
    bundles.map((bundle) => ({ source, current: bundle.hash === current, ...bundle })),
  );
}

/** The listing as a table. */
export function printBundles(bundles: readonly ListedBundle[]): string[] {
  return printTable<ListedBundle>(
    [
      { title: 'SOURCE', of: ({ source }) => source },
      { title: 'HASH', of: ({ hash }) => hash.slice(0, SHOWN_HASH) },
      { title: 'CURRENT', of: ({ current }) => (current ? 'current' : '') },
      { title: 'BUILT AT', of: ({ builtAt }) => builtAt },
      { title: 'ENTRIES', align: 'right', of: ({ servers, skills }) => servers + skills },
      { title: 'VERSIONS', align: 'right', of: ({ versions }) => versions },
      { title: 'REJECTED', align: 'right', of: ({ rejected }) => rejected },
      { title: 'ORIGIN', of: ({ origin }) => describeOrigin(origin) },
    ],
    bundles,
  );
}

/** Where a bundle came from, in a few words. */
export function describeOrigin(origin: BundleRecord['origin']): string {
  const { kind, commit, ref, repository, url, etag, files } = origin;
  const parts: string[] = [kind];
  if (typeof commit === 'string') parts.push(commit.slice(0, SHOWN_HASH));
  for (const part of [ref, repository, url, etag]) if (typeof part === 'string') parts.push(part);
  const names = typeof files === 'object' && files !== null ? Object.keys(files) : [];
  if (kind === 'file' && names.length > 0) {
    parts.push(names.length === 1 ? (names[0] ?? '') : countWords(names.length, 'file'));
  }
  return parts.join(' ');
}
