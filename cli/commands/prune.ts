import { Command, Option } from 'clipanion';
import { messageOf } from '../../sources/errors.ts';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';
import { pruneLeftovers } from '../workloads/prune-leftovers.ts';
import { WorkloadCommand } from '../workloads/workload-command.ts';

const FORMATS = ['text', 'json'] as const;

export class PruneCommand extends WorkloadCommand {
  static override paths = [['prune']];
  static override usage = Command.Usage({
    ...describeCommand('prune'),
    details: `
      Images that were built for npx://, uvx:// and go:// and no workload uses, and containers, networks and logs of
      workloads that are gone. Touches nothing of another user of the same engine.
    `,
    examples: [
      ['What would go', '$0 prune --dry-run'],
      ['Remove it', '$0 prune'],
    ],
  });

  dryRun = Option.Boolean('--dry-run', false, { description: 'only say what would be removed' });
  format = formatOption(FORMATS);

  async execute(): Promise<number> {
    const format = readFormat(this.format, FORMATS);
    const engine = await this.findEngine().catch((error: unknown) => {
      this.warn(`Only files are looked at: ${messageOf(error)}`);
      return undefined;
    });
    const removed = await pruneLeftovers(this.openStore(), engine, this.dryRun);
    if (format === 'json') this.printJson(removed);
    else if (removed.length === 0) this.print(['There is nothing to remove.']);
    else {
      const verb = this.dryRun ? 'would be removed' : 'removed';
      this.print(removed.map(({ kind, name }) => `${kind} ${name} ${verb}`));
    }
    return 0;
  }
}
