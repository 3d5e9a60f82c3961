import { z } from 'zod';
import type { EntryType } from '../../../sources/model/entry.ts';

/** What one transaction changed, told to the other processes of a registry. */
export type OverlayChange =
  /** An entry of a managed source: a version, its status, or the claims. */
  | { readonly kind: 'entry'; readonly source: string; readonly type: EntryType; readonly name: string }
  /** All entries of a managed source were removed. */
  | { readonly kind: 'source'; readonly source: string }
  /** A record of this kind and name was written or deleted. */
  | { readonly kind: 'record'; readonly type: string; readonly name: string }
  /** Another bundle of a source became the current one, or it has none any more. */
  | { readonly kind: 'bundle'; readonly source: string };

/** A row of the log that other programs may have written into too: of a kind not known here it is nothing to us. */
export const loggedChange = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('entry'),
    source: z.string(),
    type: z.enum(['server', 'skill']),
    name: z.string(),
  }),
  z.object({ kind: z.literal('source'), source: z.string() }),
  z.object({ kind: z.literal('record'), type: z.string(), name: z.string() }),
  z.object({ kind: z.literal('bundle'), source: z.string() }),
]);

/** The columns kind, source, type and name. */
export function changeColumns(change: OverlayChange): [string, string, string, string] {
  switch (change.kind) {
    case 'entry':
      return ['entry', change.source, change.type, change.name];
    case 'record':
      return ['record', '', change.type, change.name];
    case 'source':
    case 'bundle':
      return [change.kind, change.source, '', ''];
  }
}
