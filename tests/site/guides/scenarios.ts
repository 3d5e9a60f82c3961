import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../support/built-command.ts';
import { Reader } from './reader.ts';

const INSTALL = 'start/install.md';

/**
 * The machine a page starts on.
 * @param ends gets what has to end with the page
 */
export async function prepareReader(page: string, ends: (() => Promise<void>)[]): Promise<Reader> {
  const reader = new Reader({ hasBerth: page !== INSTALL, replaced: {} });
  ends.push(() => reader.close());
  if (page === INSTALL) {
    const remote = join(reader.remotes, 'berth', 'berth.git');
    execFileSync('git', ['clone', '--quiet', '--bare', '--depth', '1', pathToFileURL(ROOT).href, remote]);
  }
  return reader;
}
