import type { SiteExport } from '../../server/site/export/export-site.ts';
import { countWords, formatBytes, formatTime } from '../format-numbers.ts';
import type { Paint } from '../paint.ts';

/** What became of an export. */
export interface ExportReport extends SiteExport {
  readonly files: number;
  readonly bytes: number;
  /** What is missing from it, and what was guessed. */
  readonly notes: readonly string[];
}

/** What `berth site export` prints: the notes, and one line that sums up. */
export function printExport(out: string, report: ExportReport, ms: number, paint: Paint): string[] {
  const { entries, registries, pages, files, bytes, notes } = report;
  const counts = [
    `${countWords(entries, 'entry', 'entries')} of ${countWords(registries, 'registry', 'registries')} on ${countWords(pages, 'page')}`,
    countWords(files, 'file'),
    formatBytes(bytes),
    formatTime(ms),
  ];
  return [...notes.map((note) => `${paint.yellow('note')} ${note}`), `${out}: ${counts.join(', ')}`];
}
