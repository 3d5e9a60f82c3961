import { Command, Option } from 'clipanion';
import { BerthCommand } from '../berth-command.ts';
import { AdminClient } from '../client/admin-client.ts';
import { pathOfEntry } from '../client/entry-path.ts';
import { registryUrlOption, tokenFileOption } from '../client/registry-options.ts';
import { describeCommand } from '../command-table.ts';

export class EntriesDeleteCommand extends BerthCommand {
  static override paths = [['entries', 'delete']];
  static override usage = Command.Usage({
    ...describeCommand('entries delete'),
    details: 'For good: the entry goes with its last version. To hide a version, use entries status.',
    examples: [['One version', '$0 entries delete server/com.acme/deploy 1.0.0']],
  });

  entry = Option.String({ name: 'ENTRY' });
  version = Option.String({ name: 'VERSION' });
  registryUrl = registryUrlOption();
  tokenFile = tokenFileOption();

  async execute(): Promise<number> {
    const path = `${pathOfEntry(this.entry)}/versions/${encodeURIComponent(this.version)}`;
    const client = await AdminClient.open({ ...this, env: this.context.env });
    await client.call('DELETE', path);
    this.print([`${this.entry} ${this.version} is deleted.`]);
    return 0;
  }
}
