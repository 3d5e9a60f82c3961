import { join } from 'node:path';
import { Command, Option } from 'clipanion';
import { BundleStore } from '../../sources/bundle/bundle-store.ts';
import { loadConfig } from '../../sources/config/load-config.ts';
import { rollbackSource } from '../../sources/sync/rollback-source.ts';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { configOption } from '../common-options.ts';

export class BundlesRollbackCommand extends BerthCommand {
  static override paths = [['bundles', 'rollback']];
  static override usage = Command.Usage({
    ...describeCommand('bundles rollback'),
    details: `
      Without a hash the bundle before the current one is taken; a hash may be shortened to its first digits. A running
      service takes it over within seconds. The next change of the source itself makes a new bundle.
    `,
    examples: [
      ['Back to the one before', '$0 bundles rollback team-catalog'],
      ['To a certain one', '$0 bundles rollback team-catalog 3f9a2c41d07b'],
    ],
  });

  source = Option.String({ name: 'SOURCE' });
  hash = Option.String({ name: 'HASH', required: false });
  config = configOption();

  async execute(): Promise<number> {
    const { dataDir } = await loadConfig(this.config, { env: this.context.env });
    const store = new BundleStore(join(dataDir, 'bundles'));
    const before = await store.readSource(this.source);
    const { current } = await rollbackSource(store, this.source, this.hash);
    const short = (hash: string) => hash.slice(0, 12);
    const was = before && before.current !== current ? ` instead of ${short(before.current)}` : ' already';
    this.print([`The current bundle of ${this.source} is ${short(current)}${was}.`]);
    return 0;
  }
}
