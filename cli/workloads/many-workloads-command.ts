import { Option } from 'clipanion';
import { forEachWorkload } from './for-each-workload.ts';
import { selectWorkloads } from './select-workloads.ts';
import { WorkloadCommand } from './workload-command.ts';

/** What the commands share that do something to one or many workloads. */
export abstract class ManyWorkloadsCommand extends WorkloadCommand {
  abstract names: string[];
  all = Option.Boolean('-a,--all', false, { description: 'every workload' });
  group = Option.String('--group', { description: 'every workload of this group' });

  /**
   * Does it to all that are meant, and says what became of each. Answers the exit code.
   * @param work answers what became of it, in a word
   */
  protected async forEach(work: (name: string) => Promise<string>): Promise<number> {
    const { names, all, group } = this;
    const chosen = await selectWorkloads(this.openStore(), this.openGroups(), { names, all, group });
    if (chosen.length === 0) {
      this.print(['There is no such workload.']);
      return 0;
    }
    const failures = await forEachWorkload(chosen, async (name) => {
      this.print([`${name} ${await work(name)}`]);
    });
    const { messageOf } = await import('../../sources/errors.ts');
    for (const { name, error } of failures) {
      this.warn(chosen.length === 1 ? messageOf(error) : `${name}: ${messageOf(error)}`);
    }
    if (failures.length > 0 && chosen.length > 1) this.warn(`${failures.length} of ${chosen.length} failed.`);
    return failures.length > 0 ? 1 : 0;
  }
}
