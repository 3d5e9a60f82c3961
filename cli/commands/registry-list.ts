import { Command } from 'clipanion';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';
import { printEntries, toJsonEntry } from '../registry/print-entries.ts';
import { RegistryCommand } from '../registry/registry-command.ts';

export class RegistryListCommand extends RegistryCommand {
  static override paths = [['registry', 'list']];
  static override usage = Command.Usage({
    ...describeCommand('registry list'),
    examples: [['As JSON', '$0 registry list --format json']],
  });

  format = formatOption(['text', 'json']);

  async execute(): Promise<number> {
    const format = readFormat(this.format, ['text', 'json']);
    const entries = await (await this.openRegistry()).list();
    if (format === 'json') this.printJson(entries.map(toJsonEntry));
    else this.print(printEntries(entries));
    return 0;
  }
}
