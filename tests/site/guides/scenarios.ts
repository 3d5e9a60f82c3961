import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PASSWORD, TestPostgres } from '../../server/overlay/postgres/start-postgres.ts';
import { ROOT } from '../../support/built-command.ts';
import { makeCatalogRepository } from './catalog-repository.ts';
import { Reader, type ReaderOptions } from './reader.ts';
import { signInWithBrowser } from './sign-in-with-browser.ts';

/** What a page starts with and its words do not make. */
interface Scenario extends Partial<ReaderOptions> {
  /** Repositories that are there and empty, below each git server of the examples. */
  readonly empty?: readonly string[];
  /** Starts what the examples name; answers what to replace by it. */
  readonly replacedLater?: (ends: (() => Promise<void>)[]) => Promise<Readonly<Record<string, string>>>;
  /** What the page asks its reader to do with a browser, once all its commands are done. */
  readonly afterwards?: (reader: Reader) => Promise<void>;
  /** What an earlier page left. */
  readonly prepare?: (reader: Reader) => Promise<void>;
}

const CATALOG = ['acme/mcp-catalog.git'];

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'start/install.md': { hasBerth: false },
  'start/first-registry.md': { afterwards: signInWithBrowser },
  'registry/gitops.md': { empty: CATALOG },
  'registry/gitops-github.md': { empty: CATALOG, prepare: makeCatalogRepository },
  'registry/gitops-gitlab.md': { empty: CATALOG, prepare: makeCatalogRepository },
  'registry/gitops-gitea.md': { empty: CATALOG, prepare: makeCatalogRepository },
  'registry/replicas.md': { replacedLater: connectToPostgres },
  // The machine that a git server gives a pipeline.
  pipeline: { hasBerth: false, empty: CATALOG },
};

/**
 * The machine a page starts on.
 * @param ends gets what has to end with the page
 */
export async function prepareReader(page: string, ends: (() => Promise<void>)[]): Promise<Reader> {
  const { empty = [], prepare, afterwards: _, replacedLater, ...options } = SCENARIOS[page] ?? {};
  const replaced = (await replacedLater?.(ends)) ?? {};
  const reader = new Reader({ hasBerth: true, replaced, ...options });
  if (replacedLater) reader.write('database-password', PASSWORD);
  ends.push(() => reader.close());
  for (const path of empty) git('init', '--quiet', '--bare', '-b', 'main', join(reader.remotes, path));
  if (options.hasBerth === false) {
    const remote = join(reader.remotes, 'berth', 'berth.git');
    git('clone', '--quiet', '--bare', '--depth', '1', pathToFileURL(ROOT).href, remote);
  }
  await prepare?.(reader);
  return reader;
}

/** What is done with a browser when a page is over; undefined for most pages. */
export function findAfterwards(page: string): Scenario['afterwards'] {
  return SCENARIOS[page]?.afterwards;
}

/** A PostgreSQL in place of that of the example. */
async function connectToPostgres(ends: (() => Promise<void>)[]): Promise<Readonly<Record<string, string>>> {
  const postgres = await TestPostgres.start();
  ends.push(() => postgres.close());
  const { database } = await postgres.createDatabase();
  return {
    'host: postgres.example.com': 'host: 127.0.0.1',
    'port: 5432': `port: ${postgres.port}`,
    'database: berth': `database: ${database}`,
    'sslMode: verify-full': 'sslMode: disable',
  };
}

function git(...words: string[]): void {
  execFileSync('git', words);
}
