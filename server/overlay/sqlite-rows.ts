import { z } from 'zod';
import { claimsSchema } from '../../sources/model/claims.ts';
import type { EntryKey, StoredEntry, StoredVersion } from './overlay-store.ts';

/** JSON text in a column, read as what the schema says. */
function jsonColumn<T>(schema: z.ZodType<T>) {
  return z.string().transform((text) => schema.parse(JSON.parse(text)));
}

const texts = jsonColumn(z.array(z.string()));
const stored = z.object({
  source: z.string(),
  type: z.enum(['server', 'skill']),
  name: z.string(),
  claims: z.string(),
  claims_changed_at: z.number(),
  version: z.string(),
  body: z.string(),
  tags: texts,
  tools: texts,
  status: z.enum(['active', 'deprecated', 'deleted']),
  status_message: z.string().nullable(),
  published_at: z.number(),
  updated_at: z.number(),
  status_changed_at: z.number(),
});
const claimsColumn = jsonColumn(claimsSchema);

/** The columns `groupEntries` reads, of `versions v JOIN entries e`. */
export const ENTRY_COLUMNS =
  'v.source, v.type, v.name, e.claims, e.claims_changed_at, v.version, v.body, v.tags, v.tools, v.status, ' +
  'v.status_message, v.published_at, v.updated_at, v.status_changed_at';

export const recordRow = z.object({ kind: z.string(), name: z.string(), json: z.string() });

/** Rows with `ENTRY_COLUMNS`, those of an entry next to each other, as entries. */
export function groupEntries(rows: readonly unknown[]): StoredEntry[] {
  const entries: (Omit<StoredEntry, 'versions'> & { versions: StoredVersion[] })[] = [];
  for (const raw of rows) {
    const row = stored.parse(raw);
    const last = entries.at(-1);
    if (last && last.source === row.source && last.type === row.type && last.name === row.name) {
      last.versions.push(versionOf(row));
      continue;
    }
    entries.push({
      source: row.source,
      type: row.type,
      name: row.name,
      claims: claimsColumn.parse(row.claims),
      claimsChangedAt: row.claims_changed_at,
      versions: [versionOf(row)],
    });
  }
  return entries;
}

export function keyValues({ source, type, name }: EntryKey): [string, string, string] {
  return [source, type, name];
}

function versionOf(row: z.infer<typeof stored>): StoredVersion {
  return {
    version: row.version,
    body: row.body,
    tags: row.tags,
    tools: row.tools,
    status: row.status,
    ...(row.status_message === null ? {} : { statusMessage: row.status_message }),
    publishedAt: row.published_at,
    updatedAt: row.updated_at,
    statusChangedAt: row.status_changed_at,
  };
}
