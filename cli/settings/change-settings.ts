import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { Document, isMap, parseDocument } from 'yaml';
import { BerthError, messageOf } from '../../sources/errors.ts';
import { readStrictFile } from '../policy/read-strict-file.ts';
import { readSettings, readSettingsText } from './read-settings.ts';
import { type Settings, settingsSchema } from './settings.ts';

/** A change of one place in the settings; `value` absent takes the place out. */
export interface SettingsChange {
  readonly path: readonly [key: keyof Settings, inner?: string];
  readonly value?: unknown;
}

/**
 * Changes the settings file and keeps its comments and order. Written whole or not at all, readable by its owner only.
 * @throws ConfigError when the file, or what it would become, is not valid; BerthError `settings_unwritable`
 */
export async function changeSettings(file: string, changes: readonly SettingsChange[]): Promise<void> {
  await readSettings(file);
  const document = openDocument(await readSettingsText(file));
  for (const { path, value } of changes) {
    const steps = path.filter((step) => step !== undefined);
    if (value !== undefined) {
      document.setIn(steps, document.createNode(value));
      continue;
    }
    document.deleteIn(steps);
    const [outer] = steps;
    const rest = document.get(outer);
    if (isMap(rest) && rest.items.length === 0) document.delete(outer);
  }
  const isEmpty = isMap(document.contents) && document.contents.items.length === 0;
  const text = isEmpty ? commentsOf(document) : document.toString();
  if (!isEmpty) readStrictFile(text, file, settingsSchema);
  await writeSettings(file, text);
}

function openDocument(text: string): Document {
  const parsed = parseDocument(text);
  if (isMap(parsed.contents)) return parsed;
  const empty = new Document({});
  const comment = parsed.commentBefore ?? parsed.comment;
  if (comment) empty.commentBefore = comment;
  return empty;
}

async function writeSettings(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFileAtomic(file, text, { mode: 0o600 });
  } catch (cause) {
    throw new BerthError('settings_unwritable', `The settings cannot be written (${messageOf(cause)}).`, {
      at: { file },
      cause,
    });
  }
}

/** What is left of a file whose last setting was taken out. */
function commentsOf(document: Document): string {
  const comments = [document.commentBefore, document.contents?.commentBefore, document.comment];
  const lines = comments.filter((comment) => typeof comment === 'string').flatMap((text) => text.split('\n'));
  return lines.map((line) => `#${line}\n`).join('');
}
