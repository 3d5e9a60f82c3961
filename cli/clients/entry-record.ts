import { z } from 'zod';

/** What Berth put into the file of a client, so that taking it out leaves the file as it was. Holds nothing of the user. */
export const fileRecordSchema = z.strictObject({
  client: z.string(),
  /** True when there was no such file. */
  created: z.boolean(),
  /** Workloads by name, with the text that was inserted where the format needs it to be found again. */
  entries: z.record(z.string(), z.string()),
  /**
   * The surroundings that were made, by their place (`''` is the file itself): what was there before, or null when there
   * was nothing. For YAML the text that was inserted.
   */
  before: z.record(z.string(), z.string().nullable()),
});
export type FileRecord = z.infer<typeof fileRecordSchema>;

/** The answer of an editor: the new text, and what to remember. */
export interface Edited {
  readonly text: string;
  readonly record: FileRecord;
}

/** Why a file is left alone, as the end of a sentence. */
export class UneditableFile extends Error {}

/** Puts entries into the text of one format and takes them out. Both throw `UneditableFile` rather than guess. */
export interface ConfigEditor {
  add(edit: EntryEdit): Edited;
  remove(text: string, record: FileRecord, key: string, name: string): Edited;
  /** The entry of a name, or undefined. */
  find(text: string, key: string, name: string): unknown;
}

export interface EntryEdit {
  readonly text: string;
  readonly record: FileRecord;
  readonly key: string;
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
}
