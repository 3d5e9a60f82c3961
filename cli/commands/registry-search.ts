import { Command, Option } from 'clipanion';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';
import { printEntries, toJsonEntry } from '../registry/print-entries.ts';
import { RegistryCommand } from '../registry/registry-command.ts';

export class RegistrySearchCommand extends RegistryCommand {
  static override paths = [['registry', 'search']];
  static override usage = Command.Usage({
    ...describeCommand('registry search'),
    details: 'Looks in names, titles and descriptions.',
    examples: [['Servers that fetch', '$0 registry search fetch']],
  });

  query = Option.String({ name: 'WORDS' });
  format = formatOption(['text', 'json']);

  async execute(): Promise<number> {
    const format = readFormat(this.format, ['text', 'json']);
    const entries = await (await this.openRegistry()).search(this.query);
    if (format === 'json') this.printJson(entries.map(toJsonEntry));
    else this.print(printEntries(entries));
    return 0;
  }
}
