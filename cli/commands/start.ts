import { Command, Option } from 'clipanion';
import { describeCommand } from '../command-table.ts';
import { startWorkload } from '../workloads/start-workload.ts';
import { StartingCommand } from '../workloads/starting-command.ts';

export class StartCommand extends StartingCommand {
  static override paths = [['start']];
  static override usage = Command.Usage({
    ...describeCommand('start'),
    details:
      'Each serves the URL it had. What runs already is left alone. After a reboot, --all brings everything back.',
    examples: [
      ['One workload', '$0 start fetch'],
      ['Everything, after a reboot', '$0 start --all'],
      ['A group', '$0 start --group team'],
    ],
  });

  names = Option.Rest({ name: 'NAME' });

  execute(): Promise<number> {
    const options = this.startOptions();
    return this.forEach(async (name) => ((await startWorkload(options, name)) ? 'started' : 'already runs'));
  }
}
