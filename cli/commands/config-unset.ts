import { Command, Option } from 'clipanion';
import { BerthError } from '../../sources/errors.ts';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { changeSettings } from '../settings/change-settings.ts';
import { readSettings } from '../settings/read-settings.ts';
import { readAuthFileKind, readSettingKey } from '../settings/setting-keys.ts';
import { settingsFile } from '../settings/settings.ts';
import { UsageError } from '../usage-error.ts';
import { findUserDirectories } from '../user-directories.ts';

export class ConfigUnsetCommand extends BerthCommand {
  static override paths = [['config', 'unset']];
  static override usage = Command.Usage({
    ...describeCommand('config unset'),
    examples: [
      ['Back to the shipped catalog', '$0 config unset registry'],
      ['One variable of builds', '$0 config unset build-env NPM_TOKEN'],
    ],
  });

  key = Option.String({ name: 'KEY' });
  name = Option.String({ name: 'NAME', required: false });

  async execute(): Promise<number> {
    const key = readSettingKey(this.key);
    const file = settingsFile(findUserDirectories(this.context.env));
    const settings = await readSettings(file);
    if (this.name !== undefined && key !== 'build-env' && key !== 'build-auth-file') {
      throw new UsageError(`${key} has no parts.`);
    }
    const isSet =
      this.name === undefined
        ? settings[key] !== undefined
        : key === 'build-auth-file'
          ? settings[key]?.[readAuthFileKind(this.name)] !== undefined
          : settings['build-env']?.[this.name] !== undefined;
    if (!isSet)
      throw new BerthError('setting_missing', `${[key, this.name].filter(Boolean).join(' ')} is not set.`);
    const token = key === 'registry' ? [{ path: ['registry-token-file'] as const }] : [];
    await changeSettings(file, [{ path: this.name === undefined ? [key] : [key, this.name] }, ...token]);
    return 0;
  }
}
