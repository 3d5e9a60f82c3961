import { messageOf } from '../../sources/errors.ts';
import { showText } from '../show-text.ts';
import type { UserDirectories } from '../user-directories.ts';
import { findClientFile } from './client-file.ts';
import { withClientRecords } from './client-records.ts';
import { AI_CLIENTS, type AiClient, makeEntry } from './client-table.ts';
import { addEntry, removeEntry } from './edit-client-file.ts';
import { UneditableFile } from './entry-record.ts';
import { readRegistered } from './registered-clients.ts';

/** A workload as clients are told of it. */
export interface ClientWorkload {
  readonly name: string;
  /** The client URL. */
  readonly url: string;
  /** The transport of the plan. */
  readonly transport: string;
  readonly group: string;
}

/**
 * Writes a workload that is ready into the files of the registered AI clients of its group (contract 1). Never throws:
 * a workload does not fail because of the file of a client.
 * @returns one warning, of one line, for every file that was left alone
 */
export async function addToClients(
  directories: UserDirectories,
  workload: ClientWorkload,
): Promise<readonly string[]> {
  return collectWarnings(async (warn) => {
    const registered = (await readRegistered(directories)).filter(({ groups }) =>
      groups.includes(workload.group),
    );
    const clients = AI_CLIENTS.filter(({ name }) => registered.some((one) => one.name === name));
    if (clients.length === 0) return;
    await withClientRecords(directories, async (records) => {
      for (const client of clients) {
        const { file } = findClientFile(client, directories);
        const entry = makeEntry(client, workload.name, workload.url, isSse(workload) ? 'sse' : 'http');
        await warn(client, file, () => addEntry(client, file, records, workload.name, entry));
      }
    });
  });
}

/**
 * Takes a workload out of the files of all AI clients it was written into. Never throws.
 * @param only the clients to look at; default all
 * @returns one warning, of one line, for every file that was left alone
 */
export async function removeFromClients(
  directories: UserDirectories,
  name: string,
  only?: readonly string[],
): Promise<readonly string[]> {
  return collectWarnings((warn) =>
    withClientRecords(directories, async (records) => {
      for (const [file, record] of [...records]) {
        const client = AI_CLIENTS.find((known) => known.name === record.client);
        if (!client || record.entries[name] === undefined) continue;
        if (only && !only.includes(client.name)) continue;
        await warn(client, file, () => removeEntry(client, file, records, name));
      }
    }),
  );
}

type Warn = (client: AiClient, file: string, work: () => Promise<void>) => Promise<void>;

async function collectWarnings(work: (warn: Warn) => Promise<void>): Promise<readonly string[]> {
  const warnings: string[] = [];
  const warn: Warn = async (client, file, change) => {
    try {
      await change();
    } catch (error) {
      const why =
        error instanceof UneditableFile ? error.message : `it cannot be written: ${messageOf(error)}`;
      warnings.push(showText(`Warning: ${file} of ${client.title} is left as it is: ${why}.`));
    }
  };
  try {
    await work(warn);
  } catch (error) {
    warnings.push(showText(`Warning: AI clients were not told: ${messageOf(error)}`));
  }
  return warnings;
}

/** A stdio server may be served over SSE too. */
function isSse({ transport, url }: ClientWorkload): boolean {
  if (transport === 'stdio') return URL.canParse(url) && new URL(url).pathname.endsWith('/sse');
  return transport === 'sse';
}
