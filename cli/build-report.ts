import type { SourceOutcome } from './compile-sources.ts';
import { countWords, formatBytes, formatTime } from './format-numbers.ts';
import type { Paint } from './paint.ts';
import { printTable } from './print-table.ts';
import { showText } from './show-text.ts';

const LISTED_REJECTIONS = 20;
const SHOWN_HASH = 12;

type Compiled = Extract<SourceOutcome, { outcome: 'changed' | 'unchanged' }>;

/**
 * What `berth build` prints: one line per source, then failures and rejected entries.
 * @param others sources whose entries are not fetched
 */
export function printBuild(
  outcomes: readonly SourceOutcome[],
  others: readonly string[],
  paint: Paint,
): string[] {
  const table = printTable<SourceOutcome>(
    [
      { title: 'SOURCE', of: ({ source }) => source },
      { title: 'ENTRIES', align: 'right', of: ofBundle(({ bundle }) => bundle.servers + bundle.skills) },
      { title: 'VERSIONS', align: 'right', of: ofBundle(({ bundle }) => bundle.versions) },
      { title: 'REJECTED', align: 'right', of: ofBundle(({ bundle }) => bundle.rejected) },
      { title: 'BYTES', align: 'right', of: ofBundle(({ bundle }) => formatBytes(bundle.bytes)) },
      { title: 'TIME', align: 'right', of: ({ durationMs }) => formatTime(durationMs) },
      { title: 'HASH', of: ofBundle(({ bundle }) => bundle.hash.slice(0, SHOWN_HASH)) },
      { title: 'OUTCOME', of: ({ outcome }) => outcome },
    ],
    outcomes,
  );
  const failures = outcomes.flatMap((one) =>
    one.outcome === 'failed' ? [`${paint.red('failed')} ${one.source}: ${one.error.describe()}`] : [],
  );
  const rejections = outcomes.flatMap((one) => (one.outcome === 'failed' ? [] : listRejected(one, paint)));
  const notes = others.length === 0 ? [] : [`Not compiled, because nothing is fetched: ${others.join(', ')}`];
  return [...table, ...failures, ...rejections, ...notes];
}

/** The same as data. */
export function reportBuild(outcomes: readonly SourceOutcome[], others: readonly string[]): object {
  return {
    sources: outcomes.map((one) => {
      const { source, outcome, durationMs } = one;
      const common = { source, outcome, durationMs: Math.round(durationMs) };
      if (one.outcome === 'failed') {
        return { ...common, error: { code: one.error.code, message: one.error.describe() } };
      }
      const { servers, skills, versions, rejected, bytes, hash, origin } = one.bundle;
      const counts = { entries: servers + skills, servers, skills, versions, rejectedCount: rejected, bytes };
      return { ...common, ...counts, hash, origin, rejected: one.rejected };
    }),
    notCompiled: others,
  };
}

function ofBundle(read: (one: Compiled) => string | number): (one: SourceOutcome) => string | number {
  return (one) => (one.outcome === 'failed' ? '-' : read(one));
}

function listRejected({ source, bundle, rejected }: Compiled, paint: Paint): string[] {
  if (bundle.rejected === 0) return [];
  const shown = rejected.slice(0, LISTED_REJECTIONS);
  const more = bundle.rejected - shown.length;
  return [
    `${paint.yellow('rejected')} ${countWords(bundle.rejected, 'entry', 'entries')} of ${source}:`,
    ...shown.map(({ file, line, reason }) => `  ${showText(`${file}:${line}: ${reason}`)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}
