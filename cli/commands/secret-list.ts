import { Command } from 'clipanion';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';
import { SecretCommand } from '../secrets/secret-command.ts';
import { isSystemSecret } from '../secrets/secret-store.ts';
import { showText } from '../show-text.ts';

export class SecretListCommand extends SecretCommand {
  static override paths = [['secret', 'list']];
  static override usage = Command.Usage({
    ...describeCommand('secret list'),
    details: 'Values are not shown, nor what berth keeps for itself.',
    examples: [['Names only', '$0 secret list']],
  });

  format = formatOption(['text', 'json']);

  async execute(): Promise<number> {
    const format = readFormat(this.format, ['text', 'json']);
    const store = await this.openStore();
    const names = (await store.list()).filter((name) => !isSystemSecret(name));
    if (format === 'json') this.printJson(names);
    else if (names.length === 0) this.print(['There are no secrets.']);
    else this.print(names.map(showText));
    return 0;
  }
}
