import { showText } from '../show-text.ts';
import { isDifferent, type StateDifference } from './compare-states.ts';
import { describeCaller, summarize } from './print-difference.ts';

const LISTED = 50;

/** A difference as a comment on a pull request. */
export function printMarkdown(difference: StateDifference): string[] {
  const { before, after, entries, callers, notes } = difference;
  const title = `### Catalog changes: ${code(before)} → ${code(after)}`;
  const remarks = notes.map((note) => `> ${text(note)}`);
  if (!isDifferent(difference)) return [title, '', 'No changes.', ...remarks];
  const rows = entries.slice(0, LISTED).map(({ type, name, source, change, versions }) => {
    const shown = versions.map(({ version, change: what, members }) => {
      const detail = members === undefined ? '' : `: ${members.join(', ')}`;
      return `${code(version)} ${what}${text(detail)}`;
    });
    return `| ${change} | ${type} | ${code(name)} | ${code(source)} | ${shown.join('<br>')} |`;
  });
  const table = ['| Change | Type | Entry | Source | Versions |', '|---|---|---|---|---|', ...rows];
  const sights = callers.flatMap((caller) =>
    caller.registries.flatMap(({ registry, gained, lost, moved }) => [
      ...sightRow(caller.claims, registry, 'gains', gained),
      ...sightRow(caller.claims, registry, 'loses', lost),
      ...sightRow(
        caller.claims,
        registry,
        'sees another copy of',
        moved.map(({ entry, from, to }) => `${entry} (${from} → ${to})`),
      ),
    ]),
  );
  return [
    title,
    '',
    `${summarize(difference)}.`,
    ...(entries.length > 0 ? ['', ...table] : []),
    ...(entries.length > LISTED ? ['', `And ${entries.length - LISTED} more entries.`] : []),
    ...(sights.length > 0
      ? [
          '',
          '#### Who sees what',
          '',
          '| Callers | Registry | Change | Entries |',
          '|---|---|---|---|',
          ...sights,
        ]
      : []),
    ...(remarks.length > 0 ? ['', ...remarks] : []),
  ];
}

function sightRow(
  claims: Parameters<typeof describeCaller>[0]['claims'],
  registry: string,
  change: string,
  entries: readonly string[],
): string[] {
  if (entries.length === 0) return [];
  const more = entries.length > LISTED ? [`and ${entries.length - LISTED} more`] : [];
  const shown = [...entries.slice(0, LISTED).map(code), ...more].join('<br>');
  const caller = Object.keys(claims).length === 0 ? describeCaller({ claims }) : code(JSON.stringify(claims));
  return [`| ${caller} | ${code(registry)} | ${change} ${entries.length} | ${shown} |`];
}

/** Code that ends nowhere early and leaves its table cell whole. */
function code(value: string): string {
  return `\`${showText(value).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}

function text(value: string): string {
  return showText(value).replace(/[|<>`*_[\]]/g, '\\$&');
}
