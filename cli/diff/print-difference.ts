import type { SightChange } from '../../sources/diff/compare-sights.ts';
import type { Change, EntryChange, VersionChange } from '../../sources/diff/entry-change.ts';
import { countWords } from '../format-numbers.ts';
import type { Paint } from '../paint.ts';
import { showText } from '../show-text.ts';
import { type CallerChange, isDifferent, type StateDifference } from './compare-states.ts';

const LISTED = 100;
const SIGNS: Readonly<Record<Change, string>> = { added: '+', removed: '-', changed: '~' };

/** A difference for a terminal. */
export function printDifference(difference: StateDifference, paint: Paint): string[] {
  const notes = difference.notes.map((note) => `note: ${note}`);
  if (!isDifferent(difference)) return [...notes, 'no changes'];
  const color = { added: paint.green, removed: paint.red, changed: paint.yellow };
  const entries = limit(difference.entries).flatMap((one) =>
    typeof one === 'string' ? [one] : [color[one.change](`${SIGNS[one.change]} ${describeEntry(one)}`)],
  );
  const callers = difference.callers.flatMap((caller) => [
    `${paint.bold(describeCaller(caller))}:`,
    ...caller.registries.flatMap((change) => describeSight(change).map((line) => `  ${line}`)),
  ]);
  return [
    ...(entries.length > 0 ? [paint.bold('Entries'), ...entries] : []),
    ...(callers.length > 0 ? [paint.bold('Who sees what'), ...callers] : []),
    ...notes,
    summarize(difference),
  ];
}

/** `3 entries added, 1 changed; 2 kinds of callers gain or lose sight`. */
export function summarize({ entries, callers }: StateDifference): string {
  const counts = (['added', 'removed', 'changed'] as const).flatMap((change) => {
    const count = entries.filter((entry) => entry.change === change).length;
    return count === 0 ? [] : [`${countWords(count, 'entry', 'entries')} ${change}`];
  });
  const gaining = callers.filter(({ registries }) =>
    registries.some(({ gained }) => gained.length > 0),
  ).length;
  const losing = callers.filter(({ registries }) => registries.some(({ lost }) => lost.length > 0)).length;
  const sets = (count: number) => countWords(count, 'claims set');
  if (gaining > 0) counts.push(`${sets(gaining)} ${gaining === 1 ? 'gains' : 'gain'} sight`);
  if (losing > 0) counts.push(`${sets(losing)} ${losing === 1 ? 'loses' : 'lose'} sight`);
  return counts.length === 0 ? 'no entry was added or removed' : counts.join(', ');
}

/** `server NAME in SOURCE: 1.1.0 added, 1.0.0 changed (description)`. */
export function describeEntry({ type, name, source, change, versions }: EntryChange): string {
  const shown = versions.map((version) => describeVersion(version, change));
  return showText(`${type} ${name} in ${source}: ${shown.join(', ')}`);
}

function describeVersion({ version, change, members }: VersionChange, ofEntry: Change): string {
  const what = ofEntry === 'changed' ? ` ${change}` : '';
  return `${version}${what}${members === undefined ? '' : ` (${members.join(', ')})`}`;
}

export function describeCaller({ claims }: Pick<CallerChange, 'claims'>): string {
  return Object.keys(claims).length === 0
    ? 'callers without claims'
    : `callers with ${JSON.stringify(claims)}`;
}

/** Lines such as `registry default: gains sight of 2: server/a/b, server/a/c`. */
export function describeSight({ registry, gained, lost, moved }: SightChange): string[] {
  const list = (what: string, entries: readonly string[]) =>
    entries.length === 0
      ? []
      : [
          `registry ${registry}: ${what} ${countWords(entries.length, 'entry', 'entries')}: ${limit(entries).join(', ')}`,
        ];
  const moves = moved.map(({ entry, from, to }) => `${entry} (from ${to} instead of ${from})`);
  return [...list('gains', gained), ...list('loses', lost), ...list('sees another copy of', moves)].map(
    showText,
  );
}

function limit<Item>(items: readonly Item[]): (Item | string)[] {
  if (items.length <= LISTED) return [...items];
  return [...items.slice(0, LISTED), `and ${items.length - LISTED} more`];
}
