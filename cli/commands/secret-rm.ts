import { Command, Option } from 'clipanion';
import { BerthError } from '../../sources/errors.ts';
import { describeCommand } from '../command-table.ts';
import { SecretCommand } from '../secrets/secret-command.ts';

export class SecretRmCommand extends SecretCommand {
  static override paths = [['secret', 'rm']];
  static override usage = Command.Usage({
    ...describeCommand('secret rm'),
    examples: [['One that is not needed any more', '$0 secret rm github-token']],
  });

  name = Option.String({ name: 'NAME' });

  async execute(): Promise<number> {
    const store = await this.openStore();
    if (!(await store.remove(this.name))) {
      throw new BerthError('secret_missing', `There is no secret "${this.name}".`, {
        fix: 'See "berth secret list".',
      });
    }
    this.context.stderr.write(`The secret "${this.name}" is removed.\n`);
    return 0;
  }
}
