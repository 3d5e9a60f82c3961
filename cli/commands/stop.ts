import { Command, Option } from 'clipanion';
import { describeCommand } from '../command-table.ts';
import { ManyWorkloadsCommand } from '../workloads/many-workloads-command.ts';
import { requireWorkload } from '../workloads/require-workload.ts';
import { stopWorkload } from '../workloads/stop-workload.ts';

export class StopCommand extends ManyWorkloadsCommand {
  static override paths = [['stop']];
  static override usage = Command.Usage({
    ...describeCommand('stop'),
    details:
      'Ends proxy and container; the workload keeps its name, its URL and its logs, and can be started again.',
    examples: [
      ['Two of them', '$0 stop fetch github'],
      ['A group', '$0 stop --group team'],
      ['All', '$0 stop --all'],
    ],
  });

  names = Option.Rest({ name: 'NAME' });

  execute(): Promise<number> {
    const store = this.openStore();
    return this.forEach(async (name) => {
      await stopWorkload({ store, findEngine: () => this.findEngine() }, await requireWorkload(store, name));
      return 'stopped';
    });
  }
}
