import { join, resolve } from 'node:path';
import { Command, Option } from 'clipanion';
import { loadConfig } from '../../sources/config/load-config.ts';
import { BerthCommand } from '../berth-command.ts';
import { printBuild, reportBuild } from '../build-report.ts';
import { describeCommand } from '../command-table.ts';
import { configOption, formatOption, readFormat } from '../common-options.ts';
import { compileSources, isCompiled } from '../compile-sources.ts';
import { createProgress } from '../progress.ts';

const FORMATS = ['text', 'json'] as const;

export class BuildCommand extends BerthCommand {
  static override paths = [['build']];
  static override usage = Command.Usage({
    ...describeCommand('build'),
    details: `
      Prints one line per source: entries, versions, rejected entries, size, duration and the hash of its bundle.
      Entries that were rejected are listed with file, line and reason. The exit code is 1 when a source fails; the
      bundles of the others are written all the same, and a failed source keeps the bundle it had.
    `,
    examples: [
      ['Compile everything the configuration names', '$0 build'],
      ['Into a directory of its own, for a pull request', '$0 build --out /tmp/bundles --format json'],
    ],
  });

  config = configOption();
  out = Option.String('--out', {
    description: 'where bundles and manifest are written (default: bundles in dataDir)',
  });
  format = formatOption(FORMATS);

  async execute(): Promise<number> {
    const format = readFormat(this.format, FORMATS);
    const loaded = await loadConfig(this.config, { env: this.context.env });
    const bundleDir = this.out === undefined ? join(loaded.dataDir, 'bundles') : resolve(this.out);
    const sources = loaded.config.sources.filter(isCompiled);
    const progress = createProgress(this.context.stderr, sources.length, 'sources compiled');
    const outcomes = await compileSources(loaded, sources, { bundleDir, onDone: progress.step });
    progress.end();
    const others = loaded.config.sources.filter((source) => !isCompiled(source)).map(({ name }) => name);
    if (format === 'json') this.printJson(reportBuild(outcomes, others));
    else this.print(printBuild(outcomes, others, this.paint));
    return outcomes.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
  }
}
