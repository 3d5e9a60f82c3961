import { Command, Option } from 'clipanion';
import { BerthError } from '../../sources/errors.ts';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';
import { describeEntry } from '../registry/describe-entry.ts';
import { RegistryCommand } from '../registry/registry-command.ts';
import { readServerName } from '../run/modes/resolve-registry.ts';
import { showText } from '../show-text.ts';

export class RegistryInfoCommand extends RegistryCommand {
  static override paths = [['registry', 'info']];
  static override usage = Command.Usage({
    ...describeCommand('registry info'),
    details: 'NAME is namespace/name, or what exactly one name ends with; @VERSION chooses a version.',
    examples: [
      ['The latest version', '$0 registry info io.example/fetch'],
      ['The whole server.json', '$0 registry info io.example/fetch@1.0.0 --format json'],
    ],
  });

  name = Option.String({ name: 'NAME' });
  format = formatOption(['text', 'json']);

  async execute(): Promise<number> {
    const format = readFormat(this.format, ['text', 'json']);
    const registry = await this.openRegistry();
    const { name, version } = readServerName(this.name);
    const found = await registry.find(name, version);
    if (found.kind === 'found') {
      if (format === 'json') this.printJson(found.entry.server);
      else this.print(describeEntry(found.entry).map(showText));
      return 0;
    }
    const near = found.kind === 'ambiguous' ? found.names : found.nearest;
    const versions = found.kind === 'missing' ? found.versions : undefined;
    throw new BerthError(
      'server_unknown',
      `The registry ${registry.location} has no server "${this.name}".`,
      {
        ...(near.length > 0 ? { fix: `Did you mean ${near.map((one) => `"${one}"`).join(' or ')}?` } : {}),
        ...(versions === undefined ? {} : { fix: `Versions of it are ${versions.join(', ')}.` }),
      },
    );
  }
}
