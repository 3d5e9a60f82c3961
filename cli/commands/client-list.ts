import { Command } from 'clipanion';
import { BerthCommand } from '../berth-command.ts';
import { findClientFile } from '../clients/client-file.ts';
import { AI_CLIENTS } from '../clients/client-table.ts';
import { readRegistered } from '../clients/registered-clients.ts';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';
import { printTable } from '../print-table.ts';
import { findUserDirectories } from '../user-directories.ts';

export class ClientListCommand extends BerthCommand {
  static override paths = [['client', 'list']];
  static override usage = Command.Usage({
    ...describeCommand('client list'),
    examples: [['Which clients can be registered?', '$0 client list']],
  });

  format = formatOption(['text', 'json']);

  async execute(): Promise<number> {
    const format = readFormat(this.format, ['text', 'json']);
    const directories = findUserDirectories(this.context.env);
    const registered = await readRegistered(directories);
    const clients = AI_CLIENTS.map((client) => {
      const { file, isFound } = findClientFile(client, directories);
      const groups = registered.find(({ name }) => name === client.name)?.groups ?? [];
      return {
        name: client.name,
        title: client.title,
        installed: isFound,
        registered: groups.length > 0,
        groups,
        file,
      };
    });
    if (format === 'json') this.printJson(clients);
    else {
      const table = printTable(
        [
          { title: 'CLIENT', of: ({ name }) => name },
          { title: 'INSTALLED', of: ({ installed }) => (installed ? 'yes' : 'no') },
          { title: 'REGISTERED', of: ({ groups }) => groups.join(', ') || 'no' },
          { title: 'FILE', of: ({ file }) => file },
        ],
        clients,
      );
      this.print(table);
    }
    return 0;
  }
}
