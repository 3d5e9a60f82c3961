import { Command, Option } from 'clipanion';
import { z } from 'zod';
import { BerthCommand } from '../berth-command.ts';
import { AdminClient } from '../client/admin-client.ts';
import { pathOfEntry } from '../client/entry-path.ts';
import { readClaimsOption } from '../client/read-claims-option.ts';
import { registryUrlOption, tokenFileOption } from '../client/registry-options.ts';
import { describeCommand } from '../command-table.ts';

const claimsSchema = z.object({ claims: z.record(z.string(), z.unknown()) });

export class EntriesClaimsCommand extends BerthCommand {
  static override paths = [['entries', 'claims']];
  static override usage = Command.Usage({
    ...describeCommand('entries claims'),
    details: 'Prints the claims as JSON; with --set replaces them. All versions of an entry share them.',
    examples: [
      ['Who may see it?', '$0 entries claims server/com.acme/deploy'],
      [
        'Give it to another team too',
        '$0 entries claims server/com.acme/deploy --set \'{"org":"acme","team":["platform","data"]}\'',
      ],
    ],
  });

  entry = Option.String({ name: 'ENTRY' });
  set = Option.String('--set', { description: 'the new claims as JSON, or @FILE; {} clears them' });
  registryUrl = registryUrlOption();
  tokenFile = tokenFileOption();

  async execute(): Promise<number> {
    const path = `${pathOfEntry(this.entry)}/claims`;
    const claims = this.set === undefined ? undefined : readClaimsOption(this.set, '--set');
    const client = await AdminClient.open({ ...this, env: this.context.env });
    if (claims !== undefined) await client.call('PUT', path, { claims });
    this.printJson(await client.read(path, claimsSchema));
    return 0;
  }
}
