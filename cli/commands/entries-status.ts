import { Command, Option } from 'clipanion';
import { BerthCommand } from '../berth-command.ts';
import { AdminClient } from '../client/admin-client.ts';
import { pathOfEntry } from '../client/entry-path.ts';
import { registryUrlOption, tokenFileOption } from '../client/registry-options.ts';
import { describeCommand } from '../command-table.ts';

export class EntriesStatusCommand extends BerthCommand {
  static override paths = [['entries', 'status']];
  static override usage = Command.Usage({
    ...describeCommand('entries status'),
    details: `
      STATUS is active, deprecated or deleted. Deprecated versions stay listed, deleted ones are hidden unless somebody
      asks for them; both can become active again.
    `,
    examples: [
      [
        'Point people at the next version',
        '$0 entries status server/com.acme/deploy 1.0.0 deprecated --message "use 2.0.0"',
      ],
    ],
  });

  entry = Option.String({ name: 'ENTRY' });
  version = Option.String({ name: 'VERSION' });
  status = Option.String({ name: 'STATUS' });
  message = Option.String('--message', { description: 'why, for those who still use it' });
  registryUrl = registryUrlOption();
  tokenFile = tokenFileOption();

  async execute(): Promise<number> {
    const path = `${pathOfEntry(this.entry)}/versions/${encodeURIComponent(this.version)}`;
    const client = await AdminClient.open({ ...this, env: this.context.env });
    const message = this.message === undefined ? {} : { statusMessage: this.message };
    await client.call('PATCH', path, { status: this.status, ...message });
    this.print([`${this.entry} ${this.version} is ${this.status}.`]);
    return 0;
  }
}
