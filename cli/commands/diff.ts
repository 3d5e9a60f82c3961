import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'clipanion';
import { loadConfig } from '../../sources/config/load-config.ts';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';
import { BundleCache } from '../diff/bundle-cache.ts';
import { compareStates, isDifferent, type StateDifference } from '../diff/compare-states.ts';
import { loadState } from '../diff/load-state.ts';
import { printDifference } from '../diff/print-difference.ts';
import { printMarkdown } from '../diff/print-markdown.ts';
import { reportError } from '../report-error.ts';

const FORMATS = ['text', 'json', 'markdown'] as const;
const FAILED = 2;

export class DiffCommand extends BerthCommand {
  static override paths = [['diff']];
  static override usage = Command.Usage({
    ...describeCommand('diff'),
    details: `
      Each side is a directory of bundles, a configuration file, or a git revision of the repository in the working
      directory. Says which entries and versions were added, removed or changed, and for each claims set of the
      configuration which entries its holders gain or lose sight of. The exit code is 0 without changes, 1 with changes,
      2 on an error.
    `,
    examples: [
      [
        'What a branch changes, as a comment for its pull request',
        '$0 diff origin/main HEAD --format markdown',
      ],
      ['What is not committed yet', '$0 diff HEAD registry.config.yaml'],
      ['Two builds', '$0 diff /tmp/before /tmp/after --config registry.config.yaml'],
    ],
  });

  before = Option.String({ name: 'OLD' });
  after = Option.String({ name: 'NEW' });
  config = Option.String('--config', {
    description:
      'the configuration inside git revisions (default: registry.config.yaml); also that of bundles, which hold no claims',
  });
  format = formatOption(FORMATS);

  async execute(): Promise<number> {
    const format = readFormat(this.format, FORMATS);
    try {
      const difference = await this.#compare();
      if (format === 'json') this.printJson({ changed: isDifferent(difference), ...difference });
      else if (format === 'markdown') this.print(printMarkdown(difference));
      else this.print(printDifference(difference, this.paint));
      return isDifferent(difference) ? 1 : 0;
    } catch (error) {
      reportError(error, this.context);
      return FAILED;
    }
  }

  async #compare(): Promise<StateDifference> {
    const { env } = this.context;
    const scratch = await mkdtemp(join(tmpdir(), 'berth-diff-'));
    try {
      const configFile = this.config ?? 'registry.config.yaml';
      const options = { configFile, env, scratch, cache: new BundleCache() };
      const before = await loadState(this.before, options);
      const after = await loadState(this.after, options);
      const needed = !before.config && !after.config && this.config !== undefined;
      const fallback = needed ? await loadConfig(configFile, { env }) : undefined;
      return compareStates(before, after, fallback?.config);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }
}
