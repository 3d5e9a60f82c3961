import { Command, Option } from 'clipanion';
import { describeCommand } from '../command-table.ts';
import { ManyWorkloadsCommand } from '../workloads/many-workloads-command.ts';
import { createRemoveContext } from '../workloads/remove-context.ts';
import { removeWorkload } from '../workloads/remove-workload.ts';

export class RmCommand extends ManyWorkloadsCommand {
  static override paths = [['rm']];
  static override usage = Command.Usage({
    ...describeCommand('rm'),
    details:
      'Running ones too, without asking. Leaves no container, network, volume, process, log or state behind.',
    examples: [
      ['One workload', '$0 rm fetch'],
      ['A group', '$0 rm --group team'],
      ['All', '$0 rm --all'],
    ],
  });

  names = Option.Rest({ name: 'NAME' });

  execute(): Promise<number> {
    const context = createRemoveContext({
      store: this.openStore(),
      directories: this.directories,
      findEngine: () => this.findEngine(),
      openSecrets: () => this.openSecrets(),
    });
    return this.forEach(async (name) => {
      for (const warning of await removeWorkload(context, name)) this.warn(warning);
      return 'removed';
    });
  }
}
