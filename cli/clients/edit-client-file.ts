import { mkdir, readFile, realpath, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { hasCode } from '../workloads/has-code.ts';
import { withFileLock } from '../workloads/with-file-lock.ts';
import type { ClientRecords } from './client-records.ts';
import type { AiClient } from './client-table.ts';
import { jsonEditor } from './edit-json.ts';
import { tomlEditor } from './edit-toml.ts';
import { yamlEditor } from './edit-yaml.ts';
import { type ConfigEditor, type Edited, type FileRecord, UneditableFile } from './entry-record.ts';

const EDITORS: Readonly<Record<AiClient['format'], ConfigEditor>> = {
  json: jsonEditor,
  yaml: yamlEditor,
  toml: tomlEditor,
};

const BOM = '\ufeff';

/**
 * Puts an entry into the file of a client; the file is created for its owner alone when there is none.
 * @throws UneditableFile for a file that is left as it is
 */
export async function addEntry(
  client: AiClient,
  file: string,
  records: ClientRecords,
  name: string,
  entry: Readonly<Record<string, unknown>>,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const editor = EDITORS[client.format];
  await changeFile(file, client, records, (text, record) => {
    const existing = editor.find(text, client.key, name);
    if (existing !== undefined && record.entries[name] === undefined && !isSameUrl(existing, entry)) {
      throw new UneditableFile(`it has a server "${name}" of its own`);
    }
    return editor.add({ text, record, key: client.key, name, entry });
  });
}

/**
 * Takes an entry out of the file of a client, which is then as it was before.
 * @throws UneditableFile for a file that is left as it is
 */
export async function removeEntry(
  client: AiClient,
  file: string,
  records: ClientRecords,
  name: string,
): Promise<void> {
  const editor = EDITORS[client.format];
  await changeFile(file, client, records, (text, record) => editor.remove(text, record, client.key, name));
}

async function changeFile(
  file: string,
  client: AiClient,
  records: ClientRecords,
  change: (text: string, record: FileRecord) => Edited,
): Promise<void> {
  // The file that a link leads to is written, and the link stays.
  const target = await realpath(file).catch(() => file);
  await withFileLock(target, async () => {
    const given = await readText(target);
    const known = records.get(file);
    const record: FileRecord = known ?? {
      client: client.name,
      created: given === undefined,
      entries: {},
      before: {},
    };
    const bom = given?.startsWith(BOM) ? BOM : '';
    const edited = change((given ?? '').slice(bom.length), record);
    const text = bom + edited.text;
    const isLast = Object.keys(edited.record.entries).length === 0;
    if (isLast && record.created && edited.text.trim() === '') await rm(target, { force: true });
    else if (text !== given) await writeFileAtomic(target, text, given === undefined ? { mode: 0o600 } : {});
    if (isLast) records.delete(file);
    else records.set(file, edited.record);
  });
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    if (error instanceof TypeError) throw new UneditableFile('it is no UTF-8 text');
    throw error;
  }
}

function isSameUrl(existing: unknown, entry: Readonly<Record<string, unknown>>): boolean {
  if (typeof existing !== 'object' || existing === null) return false;
  const urls = Object.values(entry).filter((value) => typeof value === 'string' && /^https?:/.test(value));
  return Object.values(existing).some((value) => urls.includes(value));
}
