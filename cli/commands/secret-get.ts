import { Command, Option } from 'clipanion';
import { describeCommand } from '../command-table.ts';
import { requireSecret } from '../secrets/require-secret.ts';
import { SecretCommand } from '../secrets/secret-command.ts';

export class SecretGetCommand extends SecretCommand {
  static override paths = [['secret', 'get']];
  static override usage = Command.Usage({
    ...describeCommand('secret get'),
    examples: [['Into a variable', 'TOKEN=$(berth secret get github-token)']],
  });

  name = Option.String({ name: 'NAME' });

  async execute(): Promise<number> {
    const store = await this.openStore();
    this.print([await requireSecret(store, this.name)]);
    return 0;
  }
}
