import { Command, Option } from 'clipanion';
import { BerthError } from '../../sources/errors.ts';
import { BerthCommand } from '../berth-command.ts';
import { unregisterClients } from '../clients/register-clients.ts';
import { readRegistered } from '../clients/registered-clients.ts';
import { requireClient } from '../clients/require-client.ts';
import { describeCommand } from '../command-table.ts';
import { findUserDirectories } from '../user-directories.ts';

export class ClientRemoveCommand extends BerthCommand {
  static override paths = [['client', 'remove']];
  static override usage = Command.Usage({
    ...describeCommand('client remove'),
    details: 'Its file is then as it was before.',
    examples: [['One of them', '$0 client remove vscode']],
  });

  names = Option.Rest({ name: 'NAME', required: 1 });

  async execute(): Promise<number> {
    const clients = this.names.map(requireClient);
    const directories = findUserDirectories(this.context.env);
    const registered = await readRegistered(directories);
    const missing = clients.find(({ name }) => !registered.some((one) => one.name === name));
    if (missing) {
      throw new BerthError('client_not_registered', `The AI client "${missing.name}" is not registered.`, {
        fix: 'See "berth client list".',
      });
    }
    const warnings = await unregisterClients(directories, clients);
    for (const warning of warnings) this.context.stderr.write(`${warning}\n`);
    this.print(clients.map(({ title }) => `${title} is not registered any more.`));
    return 0;
  }
}
