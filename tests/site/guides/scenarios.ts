import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../support/built-command.ts';
import { makeCatalogRepository } from './catalog-repository.ts';
import { Reader, type ReaderOptions } from './reader.ts';

/** What a page starts with and its words do not make. */
interface Scenario extends Partial<ReaderOptions> {
  /** Repositories that are there and empty, below each git server of the examples. */
  readonly empty?: readonly string[];
  /** What an earlier page left. */
  readonly prepare?: (reader: Reader) => Promise<void>;
}

const CATALOG = ['acme/mcp-catalog.git'];

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'start/install.md': { hasBerth: false },
  'registry/gitops.md': { empty: CATALOG },
  'registry/gitops-github.md': { empty: CATALOG, prepare: makeCatalogRepository },
  'registry/gitops-gitlab.md': { empty: CATALOG, prepare: makeCatalogRepository },
  'registry/gitops-gitea.md': { empty: CATALOG, prepare: makeCatalogRepository },
  // The machine that a git server gives a pipeline.
  pipeline: { hasBerth: false, empty: CATALOG },
};

/**
 * The machine a page starts on.
 * @param ends gets what has to end with the page
 */
export async function prepareReader(page: string, ends: (() => Promise<void>)[]): Promise<Reader> {
  const { empty = [], prepare, ...options } = SCENARIOS[page] ?? {};
  const reader = new Reader({ hasBerth: true, replaced: {}, ...options });
  ends.push(() => reader.close());
  for (const path of empty) git('init', '--quiet', '--bare', '-b', 'main', join(reader.remotes, path));
  if (options.hasBerth === false) {
    const remote = join(reader.remotes, 'berth', 'berth.git');
    git('clone', '--quiet', '--bare', '--depth', '1', pathToFileURL(ROOT).href, remote);
  }
  await prepare?.(reader);
  return reader;
}

function git(...words: string[]): void {
  execFileSync('git', words);
}
