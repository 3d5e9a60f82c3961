import type { Paint } from '../paint.ts';
import { printTable } from '../print-table.ts';
import type { ObservedWorkload } from './observe-workload.ts';

/** The table of `list`. */
export function printWorkloads(workloads: readonly ObservedWorkload[], paint: Paint): readonly string[] {
  const [title = '', ...rows] = printTable(
    [
      { title: 'NAME', of: ({ name }) => name },
      { title: 'STATUS', of: ({ status }) => status },
      { title: 'URL', of: ({ url }) => url ?? '-' },
      { title: 'TRANSPORT', of: ({ transport }) => transport },
      { title: 'GROUP', of: ({ group }) => group },
      { title: 'PACKAGE', of: (workload) => workload.package },
      { title: 'CREATED', of: ({ created }) => created },
    ],
    workloads,
  );
  return [paint.bold(title), ...rows];
}

/** What `status` says of one workload. */
export function printWorkload(
  { name, status, reason, url, transport, group, package: what, created }: ObservedWorkload,
  more: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const facts: Readonly<Record<string, string | undefined>> = {
    name,
    status,
    reason,
    url,
    transport,
    group,
    package: what,
    created,
    ...more,
  };
  const shown = Object.entries(facts).filter(([, value]) => value !== undefined);
  const width = Math.max(...shown.map(([key]) => key.length));
  return shown.map(([key, value]) => `${`${key}:`.padEnd(width + 2)}${value}`);
}
