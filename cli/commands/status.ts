import { Command, Option } from 'clipanion';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';
import { findSupervisor, observeWorkload, toListed } from '../workloads/observe-workload.ts';
import { printWorkload } from '../workloads/print-workloads.ts';
import { requireWorkload } from '../workloads/require-workload.ts';
import { WorkloadCommand } from '../workloads/workload-command.ts';

const FORMATS = ['text', 'json'] as const;

export class StatusCommand extends WorkloadCommand {
  static override paths = [['status']];
  static override usage = Command.Usage({
    ...describeCommand('status'),
    details: 'The text also says why, for a workload that does not run as it should.',
    examples: [
      ['One workload', '$0 status fetch'],
      ['For a program', '$0 status fetch --format json'],
    ],
  });

  name = Option.String({ name: 'NAME' });
  format = formatOption(FORMATS);

  async execute(): Promise<number> {
    const format = readFormat(this.format, FORMATS);
    const store = this.openStore();
    const state = await requireWorkload(store, this.name);
    const seen = observeWorkload(state);
    if (format === 'json') {
      this.printJson(toListed(seen));
      return 0;
    }
    const more = {
      isolation: state.isolation,
      image: state.imageId,
      restarts: state.restarts > 0 ? String(state.restarts) : undefined,
      supervisor: findSupervisor(state)?.pid.toString(),
      log: store.paths.serverLog(this.name),
    };
    this.print(printWorkload(seen, more));
    return 0;
  }
}
