import { Command } from 'clipanion';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';
import { printTable } from '../print-table.ts';
import { WorkloadCommand } from '../workloads/workload-command.ts';

const FORMATS = ['text', 'json'] as const;

export class GroupListCommand extends WorkloadCommand {
  static override paths = [['group', 'list']];
  static override usage = Command.Usage({
    ...describeCommand('group list'),
    details: 'With the workloads in each.',
    examples: [
      ['All groups', '$0 group list'],
      ['For a program', '$0 group list --format json'],
    ],
  });

  format = formatOption(FORMATS);

  async execute(): Promise<number> {
    const format = readFormat(this.format, FORMATS);
    const { states, broken } = await this.openStore().list();
    for (const { error } of broken) this.warn(error.describe());
    const groups = (await this.openGroups().list()).map((name) => ({
      name,
      workloads: states.filter(({ plan }) => plan.group === name).map(({ plan }) => plan.name),
    }));
    if (format === 'json') {
      this.printJson(groups);
      return 0;
    }
    const columns = [
      { title: 'NAME', of: ({ name }: (typeof groups)[number]) => name },
      { title: 'WORKLOADS', of: ({ workloads }: (typeof groups)[number]) => workloads.join(', ') || '-' },
    ];
    this.print(printTable(columns, groups));
    return 0;
  }
}
