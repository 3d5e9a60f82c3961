import { Command, Option } from 'clipanion';
import { describeCommand } from '../command-table.ts';
import { readSecretValue } from '../secrets/read-value.ts';
import { SecretCommand } from '../secrets/secret-command.ts';
import { checkSecretName } from '../secrets/secret-name.ts';

export class SecretSetCommand extends SecretCommand {
  static override paths = [['secret', 'set']];
  static override usage = Command.Usage({
    ...describeCommand('secret set'),
    details: 'The value comes from standard input or a hidden prompt, never from an argument.',
    examples: [['From a file', '$0 secret set github-token < token']],
  });

  name = Option.String({ name: 'NAME' });

  async execute(): Promise<number> {
    checkSecretName(this.name);
    const store = await this.openStore();
    await store.set(this.name, await readSecretValue(this.name, this.context));
    this.context.stderr.write(`The secret "${this.name}" is set.\n`);
    return 0;
  }
}
