import { Command, Option } from 'clipanion';
import { BerthError } from '../../sources/errors.ts';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';
import { readSettings } from '../settings/read-settings.ts';
import { readSettingKey } from '../settings/setting-keys.ts';
import { type BuildVariable, type Settings, settingsFile } from '../settings/settings.ts';
import { showText } from '../show-text.ts';
import { findUserDirectories } from '../user-directories.ts';

export class ConfigGetCommand extends BerthCommand {
  static override paths = [['config', 'get']];
  static override usage = Command.Usage({
    ...describeCommand('config get'),
    examples: [
      ['All of them', '$0 config get'],
      ['The variables of builds', '$0 config get build-env --format json'],
    ],
  });

  key = Option.String({ name: 'KEY', required: false });
  format = formatOption(['text', 'json']);

  async execute(): Promise<number> {
    const format = readFormat(this.format, ['text', 'json']);
    const key = this.key === undefined ? undefined : readSettingKey(this.key);
    const file = settingsFile(findUserDirectories(this.context.env));
    const settings = await readSettings(file);
    if (key === undefined) {
      if (format === 'json') this.printJson(settings);
      else this.print(describeSettings(settings).map(showText));
      return 0;
    }
    const value = settings[key];
    if (value === undefined) {
      throw new BerthError('setting_missing', `${key} is not set.`, {
        fix: `Set it with \`config set ${key}\`.`,
      });
    }
    if (format === 'json') this.printJson(value);
    else this.print(describeValue(value).map(showText));
    return 0;
  }
}

function describeSettings(settings: Settings): string[] {
  const { registry = 'sample', ...rest } = settings;
  const lines = Object.entries({ registry, ...rest }).flatMap(([key, value]) =>
    key === 'secrets' || value === undefined ? [] : describeValue(value).map((line) => `${key}: ${line}`),
  );
  return lines;
}

function describeValue(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).map(([name, inner]: [string, BuildVariable]) => {
    if (typeof inner === 'string') return `${name}=${inner}`;
    return 'secret' in inner
      ? `${name} from the secret ${inner.secret}`
      : `${name} from the variable ${inner.env}`;
  });
}
