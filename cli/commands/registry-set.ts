import { Command, Option } from 'clipanion';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { setRegistry } from '../settings/set-registry.ts';
import { settingsFile } from '../settings/settings.ts';
import { findUserDirectories } from '../user-directories.ts';

export class RegistrySetCommand extends BerthCommand {
  static override paths = [['registry', 'set']];
  static override usage = Command.Usage({
    ...describeCommand('registry set'),
    details: `
      A URL that \`/v0.1/servers\` is below, a catalog file, a compiled bundle, or \`sample\` for the catalog that comes
      with berth. The URL is not contacted now.
    `,
    examples: [
      ['A registry of this program', '$0 registry set https://registry.example.com/registry/default'],
      ['A file', '$0 registry set ./servers.json'],
    ],
  });

  location = Option.String({ name: 'URL_OR_FILE' });
  tokenFile = Option.String('--token-file', { description: 'file with the access token to send' });

  async execute(): Promise<number> {
    const file = settingsFile(findUserDirectories(this.context.env));
    this.print([`The registry is ${await setRegistry(file, this.location, this.tokenFile)}.`]);
    return 0;
  }
}
