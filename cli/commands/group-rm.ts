import { Command, Option } from 'clipanion';
import { BerthError } from '../../sources/errors.ts';
import { describeCommand } from '../command-table.ts';
import { forEachWorkload } from '../workloads/for-each-workload.ts';
import { DEFAULT_GROUP } from '../workloads/group-store.ts';
import { createRemoveContext } from '../workloads/remove-context.ts';
import { removeWorkload } from '../workloads/remove-workload.ts';
import { WorkloadCommand } from '../workloads/workload-command.ts';

export class GroupRmCommand extends WorkloadCommand {
  static override paths = [['group', 'rm']];
  static override usage = Command.Usage({
    ...describeCommand('group rm'),
    details:
      'A group that holds workloads stays, unless they are to be removed with it. The group default always stays.',
    examples: [
      ['An empty group', '$0 group rm team'],
      ['With all that is in it', '$0 group rm team --with-workloads'],
    ],
  });

  name = Option.String({ name: 'NAME' });
  withWorkloads = Option.Boolean('--with-workloads', false, { description: 'remove its workloads too' });

  async execute(): Promise<number> {
    const groups = this.openGroups();
    if (this.name !== DEFAULT_GROUP) await groups.require(this.name);
    else await groups.remove(this.name);
    await this.#empty();
    await groups.remove(this.name);
    this.print([`${this.name} removed`]);
    return 0;
  }

  async #empty(): Promise<void> {
    const store = this.openStore();
    const { states } = await store.list();
    const names = states.filter(({ plan }) => plan.group === this.name).map(({ plan }) => plan.name);
    if (names.length === 0) return;
    if (!this.withWorkloads) {
      throw new BerthError(
        'group_not_empty',
        `The group "${this.name}" holds workloads: ${names.join(', ')}.`,
        {
          fix: 'Remove them first, or give --with-workloads.',
        },
      );
    }
    const context = createRemoveContext({
      store,
      directories: this.directories,
      findEngine: () => this.findEngine(),
      openSecrets: () => this.openSecrets(),
    });
    const [failure] = await forEachWorkload(names, async (name) => {
      for (const warning of await removeWorkload(context, name)) this.warn(warning);
    });
    if (failure) throw failure.error;
  }
}
