import { Command, Option } from 'clipanion';
import { describeCommand } from '../command-table.ts';
import { requireWorkload } from '../workloads/require-workload.ts';
import { startWorkload } from '../workloads/start-workload.ts';
import { StartingCommand } from '../workloads/starting-command.ts';
import { stopWorkload } from '../workloads/stop-workload.ts';

export class RestartCommand extends StartingCommand {
  static override paths = [['restart']];
  static override usage = Command.Usage({
    ...describeCommand('restart'),
    details: 'Stops what runs and starts it at the same URL, with secrets read anew.',
    examples: [
      ['After a secret was changed', '$0 restart github'],
      ['All', '$0 restart --all'],
    ],
  });

  names = Option.Rest({ name: 'NAME' });

  execute(): Promise<number> {
    const options = this.startOptions();
    const { store, findEngine } = options;
    return this.forEach(async (name) => {
      await stopWorkload({ store, findEngine }, await requireWorkload(store, name));
      await startWorkload(options, name);
      return 'restarted';
    });
  }
}
