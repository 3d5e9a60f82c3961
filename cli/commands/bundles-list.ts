import { join } from 'node:path';
import { Command } from 'clipanion';
import { BundleStore } from '../../sources/bundle/bundle-store.ts';
import { loadConfig } from '../../sources/config/load-config.ts';
import { BerthCommand } from '../berth-command.ts';
import { listBundles, printBundles } from '../bundle-listing.ts';
import { describeCommand } from '../command-table.ts';
import { configOption, formatOption, readFormat } from '../common-options.ts';

const FORMATS = ['text', 'json'] as const;

export class BundlesListCommand extends BerthCommand {
  static override paths = [['bundles', 'list']];
  static override usage = Command.Usage({
    ...describeCommand('bundles list'),
    details: 'Newest first; the one that is served is marked. Works while the service runs.',
    examples: [['All bundles', '$0 bundles list']],
  });

  config = configOption();
  format = formatOption(FORMATS);

  async execute(): Promise<number> {
    const format = readFormat(this.format, FORMATS);
    const { dataDir } = await loadConfig(this.config, { env: this.context.env });
    const bundles = listBundles(await new BundleStore(join(dataDir, 'bundles')).readManifest());
    if (format === 'json') this.printJson({ bundles });
    else if (bundles.length === 0) this.print(['There are no bundles yet: run berth build or berth serve.']);
    else this.print(printBundles(bundles));
    return 0;
  }
}
