import { UsageError } from '../usage-error.ts';

/** The path of an entry in the admin API out of `server/NAMESPACE/NAME` or `skill/NAMESPACE/NAME`. */
export function pathOfEntry(text: string): string {
  const match = /^(server|skill)\/([^/]+\/[^/]+)$/.exec(text);
  if (!match) {
    throw new UsageError(`"${text}" names no entry.`, {
      fix: 'Write server/NAMESPACE/NAME or skill/NAMESPACE/NAME.',
    });
  }
  return `/v1/entries/${match[1]}/${encodeURIComponent(match[2] ?? '')}`;
}
