import { Command, Option } from 'clipanion';
import { describeCommand } from '../command-table.ts';
import { WorkloadCommand } from '../workloads/workload-command.ts';

export class GroupCreateCommand extends WorkloadCommand {
  static override paths = [['group', 'create']];
  static override usage = Command.Usage({
    ...describeCommand('group create'),
    details: 'Workloads are put into it with run --group.',
    examples: [['A group for a team', '$0 group create team']],
  });

  name = Option.String({ name: 'NAME' });

  async execute(): Promise<number> {
    await this.openGroups().create(this.name);
    this.print([`${this.name} created`]);
    return 0;
  }
}
