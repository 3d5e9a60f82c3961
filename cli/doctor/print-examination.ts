import { countWords } from '../format-numbers.ts';
import type { Paint } from '../paint.ts';
import { showText } from '../show-text.ts';
import type { Finding } from './check-up.ts';
import type { Examination } from './examine-registry.ts';

const LISTED_FAILURES = 20;

/** An examination client by client. */
export function printExamination({ base, clients, notes }: Examination, paint: Paint): string[] {
  const failed = clients.filter(({ findings }) => findings.some(({ outcome }) => outcome === 'failed'));
  const verdict =
    failed.length === 0
      ? paint.green(`healthy: all ${clients.length} clients get along with ${base}`)
      : paint.red(`not healthy: ${failed.map(({ client }) => client).join(', ')} would fail with ${base}`);
  return [
    ...clients.flatMap(({ client, findings }) => [
      paint.bold(client),
      ...limitFailures(findings).map((finding) => `  ${printFinding(finding, paint)}`),
    ]),
    ...notes.map((note) => `note: ${showText(note)}`),
    verdict,
  ];
}

function printFinding({ outcome, what, why }: Finding, paint: Paint): string {
  const word = { ok: paint.green('ok'), failed: paint.red('failed'), skipped: paint.dim('skipped') }[outcome];
  return `${word} ${showText(why === undefined ? what : `${what}: ${why}`)}`;
}

/** A thousand items with the same fault need not be read one by one. */
function limitFailures(findings: readonly Finding[]): Finding[] {
  let failures = 0;
  const shown = findings.filter(({ outcome }) => outcome !== 'failed' || ++failures <= LISTED_FAILURES);
  const more = findings.length - shown.length;
  if (more === 0) return shown;
  return [...shown, { outcome: 'failed', what: `and ${countWords(more, 'more failure')}` }];
}
