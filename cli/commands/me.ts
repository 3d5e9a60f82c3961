import { Command } from 'clipanion';
import { z } from 'zod';
import { BerthCommand } from '../berth-command.ts';
import { AdminClient } from '../client/admin-client.ts';
import { registryUrlOption, tokenFileOption } from '../client/registry-options.ts';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';
import { showText } from '../show-text.ts';

const meSchema = z.object({ subject: z.string(), roles: z.array(z.string()) });

export class MeCommand extends BerthCommand {
  static override paths = [['me']];
  static override usage = Command.Usage({
    ...describeCommand('me'),
    examples: [['Which roles does this token have?', '$0 me --token-file token']],
  });

  registryUrl = registryUrlOption();
  tokenFile = tokenFileOption();
  format = formatOption(['text', 'json']);

  async execute(): Promise<number> {
    const format = readFormat(this.format, ['text', 'json']);
    const client = await AdminClient.open({ ...this, env: this.context.env });
    const me = await client.read('/v1/me', meSchema);
    if (format === 'json') this.printJson(me);
    else
      this.print([`subject  ${showText(me.subject)}`, `roles    ${showText(me.roles.join(', ')) || 'none'}`]);
    return 0;
  }
}
