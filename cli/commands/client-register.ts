import { Command, Option } from 'clipanion';
import { BerthCommand } from '../berth-command.ts';
import { registerClients } from '../clients/register-clients.ts';
import { requireClient } from '../clients/require-client.ts';
import { describeCommand } from '../command-table.ts';
import { findUserDirectories } from '../user-directories.ts';

export class ClientRegisterCommand extends BerthCommand {
  static override paths = [['client', 'register']];
  static override usage = Command.Usage({
    ...describeCommand('client register'),
    details: 'The workloads that run already are written at once, others when they are ready.',
    examples: [['Two of them', '$0 client register claude-code vscode']],
  });

  group = Option.String('--group', 'default', {
    description: 'the group whose workloads the client gets (default: default)',
  });
  names = Option.Rest({ name: 'NAME', required: 1 });

  async execute(): Promise<number> {
    const clients = this.names.map(requireClient);
    const directories = findUserDirectories(this.context.env);
    const { added, warnings } = await registerClients(directories, clients, this.group);
    for (const warning of warnings) this.context.stderr.write(`${warning}\n`);
    const what = added.length === 0 ? '' : ` and has ${added.join(', ')}`;
    this.print(clients.map(({ title }) => `${title} is registered for the group ${this.group}${what}.`));
    return 0;
  }
}
