import { Command, Option } from 'clipanion';
import { suggestName } from '../../sources/config/nearest-name.ts';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { checkOp } from '../secrets/one-password-store.ts';
import {
  chooseProvider,
  findProvider,
  SECRET_PROVIDERS,
  type SecretProvider,
} from '../secrets/secret-provider.ts';
import { setUpEncrypted } from '../secrets/set-up-secrets.ts';
import { changeSettings } from '../settings/change-settings.ts';
import { settingsFile } from '../settings/settings.ts';
import { UsageError } from '../usage-error.ts';
import { findUserDirectories } from '../user-directories.ts';

const PLACES = {
  environment: 'The password comes from BERTH_SECRETS_PASSWORD.',
  keyring: 'The password is kept in the keyring of the system.',
  nowhere: 'There is no keyring on this system: set BERTH_SECRETS_PASSWORD, or type the password when asked.',
};

export class SecretSetupCommand extends BerthCommand {
  static override paths = [['secret', 'setup']];
  static override usage = Command.Usage({
    ...describeCommand('secret setup'),
    details: 'Not needed where BERTH_SECRETS_PASSWORD is set: the provider is then "encrypted".',
    examples: [
      ['Keep secrets encrypted, with the password in the keyring', '$0 secret setup'],
      ['Read them from variables BERTH_SECRET_<NAME>', '$0 secret setup --provider environment'],
    ],
  });

  provider = Option.String('--provider', {
    description: `${SECRET_PROVIDERS.join(', ')} (default: encrypted)`,
  });

  async execute(): Promise<number> {
    const { env } = this.context;
    const directories = findUserDirectories(env);
    const provider =
      this.provider === undefined ? await chooseProvider(directories, env) : readProvider(this.provider);
    const lines: string[] = [];
    if (provider === 'encrypted') {
      lines.push(PLACES[await setUpEncrypted({ directories, env }, this.context)]);
    } else if (provider === '1password') await checkOp(env);
    const change = { path: ['secrets', 'provider'], value: provider } as const;
    await changeSettings(settingsFile(directories), [change]);
    this.print([`Secrets come from the provider "${provider}".`, ...lines]);
    return 0;
  }
}

function readProvider(given: string): SecretProvider {
  const provider = findProvider(given);
  if (provider) return provider;
  throw new UsageError(`There is no secrets provider "${given}".`, {
    at: { flag: '--provider' },
    fix: suggestName(given, SECRET_PROVIDERS) ?? `Use ${SECRET_PROVIDERS.join(', ')}.`,
  });
}
