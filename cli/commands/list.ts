import { Command, Option } from 'clipanion';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';
import { UsageError } from '../usage-error.ts';
import { describeClientEntry } from '../workloads/describe-client-entry.ts';
import { type ObservedWorkload, observeWorkload, toListed } from '../workloads/observe-workload.ts';
import { printWorkloads } from '../workloads/print-workloads.ts';
import { WorkloadCommand } from '../workloads/workload-command.ts';
import type { WorkloadState } from '../workloads/workload-state.ts';

const FORMATS = ['text', 'json', 'mcpservers'] as const;
const HIDDEN = new Set(['stopped']);

export class ListCommand extends WorkloadCommand {
  static override paths = [['list'], ['ls']];
  static override usage = Command.Usage({
    ...describeCommand('list'),
    details: `
      The table leaves stopped workloads out unless --all is given; the other formats have every one. A workload whose
      supervisor was killed is shown as error.
    `,
    examples: [
      ['What runs', '$0 list'],
      ['Everything, for a program', '$0 list --format json'],
      ['The URLs for an AI client', '$0 list --format mcpservers'],
      ['One group, stopped ones too', '$0 list --all --group team'],
      ['By label', '$0 list -l env=prod'],
    ],
  });

  all = Option.Boolean('-a,--all', false, { description: 'also those that are stopped' });
  group = Option.String('--group', { description: 'only those of this group' });
  labels = Option.Array('-l,--label', [], {
    description: 'only those with this label, key=value; repeatable',
  });
  format = formatOption(FORMATS);

  async execute(): Promise<number> {
    const format = readFormat(this.format, FORMATS);
    const labels = this.labels.map(readLabel);
    if (this.group !== undefined) await this.openGroups().require(this.group);
    const { states, broken } = await this.openStore().list();
    for (const { error } of broken) this.warn(error.describe());
    const wanted = states.filter(
      ({ plan }) =>
        (this.group === undefined || plan.group === this.group) &&
        labels.every(([key, value]) => plan.labels[key] === value),
    );
    const seen = wanted.map((state) => observeWorkload(state));
    if (format === 'json') this.printJson(seen.map(toListed));
    else if (format === 'mcpservers') this.printJson({ mcpServers: collectEntries(wanted) });
    else this.#printText(seen);
    return 0;
  }

  #printText(seen: readonly ObservedWorkload[]): void {
    const shown = seen.filter(({ status }) => this.all || !HIDDEN.has(status));
    const hidden = seen.length - shown.length;
    if (shown.length > 0) this.print(printWorkloads(shown, this.paint));
    else if (hidden === 0) this.print(['There are no workloads yet: run one with berth run.']);
    else this.print([`Nothing runs; ${hidden} stopped: see them with --all.`]);
  }
}

function collectEntries(states: readonly WorkloadState[]) {
  return Object.fromEntries(
    states.flatMap((state) => {
      const entry = describeClientEntry(state);
      return entry ? [[state.plan.name, entry]] : [];
    }),
  );
}

function readLabel(given: string): readonly [string, string] {
  const at = given.indexOf('=');
  if (at > 0) return [given.slice(0, at), given.slice(at + 1)];
  throw new UsageError(`"${given}" is no label.`, { at: { flag: '--label' }, fix: 'Write it as key=value.' });
}
