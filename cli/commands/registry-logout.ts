import { Command, Option } from 'clipanion';
import { BerthError } from '../../sources/errors.ts';
import { describeCommand } from '../command-table.ts';
import { readRegistryBase } from '../registry/registry-url.ts';
import { logOutOfRegistry } from '../remote/registry-login.ts';
import { SecretCommand } from '../secrets/secret-command.ts';
import { changeSettings } from '../settings/change-settings.ts';
import { readSettings } from '../settings/read-settings.ts';
import { settingsFile } from '../settings/settings.ts';
import { findUserDirectories } from '../user-directories.ts';

export class RegistryLogoutCommand extends SecretCommand {
  static override paths = [['registry', 'logout']];
  static override usage = Command.Usage({
    ...describeCommand('registry logout'),
    examples: [['Forget the token of the configured registry', '$0 registry logout']],
  });

  registry = Option.String('--registry', {
    description: 'URL of the registry (default: the configured one)',
  });

  async execute(): Promise<number> {
    const file = settingsFile(findUserDirectories(this.context.env));
    const settings = await readSettings(file);
    const given = this.registry ?? settings.registry;
    const base = given === undefined ? undefined : readRegistryBase(given);
    if (base === undefined) {
      throw new BerthError(
        'registry_not_remote',
        'There is no registry to log out of: the configured one is a file.',
        {
          fix: 'Name one with --registry.',
        },
      );
    }
    const hadFile = settings['registry-token-file'] !== undefined;
    if (hadFile) await changeSettings(file, [{ path: ['registry-token-file'] }]);
    const logins = settings['registry-logins'] ?? [];
    const hadLogin = logins.includes(base) && (await logOutOfRegistry(base, await this.openStore()));
    const others = logins.filter((known) => known !== base);
    if (others.length < logins.length)
      await changeSettings(file, [
        { path: ['registry-logins'], ...(others.length > 0 ? { value: others } : {}) },
      ]);
    this.print([hadFile || hadLogin ? `Logged out of ${base}.` : `There was no login to ${base}.`]);
    return 0;
  }
}
