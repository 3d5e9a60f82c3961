import { Command, Option } from 'clipanion';
import { BerthCommand } from '../berth-command.ts';
import { AdminClient } from '../client/admin-client.ts';
import { readClaimsOption } from '../client/read-claims-option.ts';
import { readPublishFile } from '../client/read-publish-file.ts';
import { registryUrlOption, tokenFileOption } from '../client/registry-options.ts';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';

export class PublishCommand extends BerthCommand {
  static override paths = [['publish']];
  static override usage = Command.Usage({
    ...describeCommand('publish'),
    details: `
      FILE is a server.json or server.yaml (the file of mcp-publisher as it is), a skill object, or a SKILL.md. Under
      authentication the entry needs claims, each of which the token must hold itself; later versions need exactly the
      same.
    `,
    examples: [
      [
        'From a pipeline',
        '$0 publish server.json --registry-url https://mcp.acme.example --token-file token --claims \'{"org":"acme"}\'',
      ],
      ['Into one of several managed sources', '$0 publish server.json --source team-tools'],
    ],
  });

  file = Option.String({ name: 'FILE' });
  registryUrl = registryUrlOption();
  tokenFile = tokenFileOption();
  claims = Option.String('--claims', { description: 'claims of the entry as JSON, or @FILE' });
  source = Option.String('--source', { description: 'the managed source, when there are several' });
  namespace = Option.String('--namespace', { description: 'of a SKILL.md that names none' });
  format = formatOption(['text', 'json']);

  async execute(): Promise<number> {
    const format = readFormat(this.format, ['text', 'json']);
    const claims = this.claims === undefined ? {} : { claims: readClaimsOption(this.claims, '--claims') };
    const body = await readPublishFile(this.file, this.namespace);
    const client = await AdminClient.open({ ...this, env: this.context.env });
    const query = this.source === undefined ? '' : `?source=${encodeURIComponent(this.source)}`;
    const answer = await client.call('POST', `/v1/entries${query}`, { ...body, ...claims });
    if (format === 'json') this.printJson(answer.body);
    else
      this.print([
        `Published ${decodeURIComponent((answer.location ?? '').replace('/v1/entries/', '').replace('/versions/', ' '))}.`,
      ]);
    return 0;
  }
}
