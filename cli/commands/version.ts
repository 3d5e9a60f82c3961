import { Command } from 'clipanion';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';

export class VersionCommand extends BerthCommand {
  static override paths = [['version']];
  static override usage = Command.Usage({
    ...describeCommand('version'),
    examples: [['With what it runs on', '$0 version --format json']],
  });

  format = formatOption(['text', 'json']);

  async execute(): Promise<number> {
    const version = process.env.BERTH_VERSION ?? '0.0.0';
    if (readFormat(this.format, ['text', 'json']) === 'text') this.print([version]);
    else {
      this.printJson({
        version,
        node: process.versions.node,
        platform: process.platform,
        arch: process.arch,
      });
    }
    return 0;
  }
}
