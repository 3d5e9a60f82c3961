import { Command, Option } from 'clipanion';
import { BerthCommand } from '../berth-command.ts';
import { AdminClient, notARegistry } from '../client/admin-client.ts';
import { readClaimsOption } from '../client/read-claims-option.ts';
import { readPublishFile } from '../client/read-publish-file.ts';
import { registryUrlOption, tokenFileOption } from '../client/registry-options.ts';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';
import { showText } from '../show-text.ts';

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
    const path = `/v1/entries${query}`;
    const { body: stored, location } = await client.call('POST', path, { ...body, ...claims });
    const [, entry, version] = /^\/v1\/entries\/(.+)\/versions\/([^/]+)$/.exec(location ?? '') ?? [];
    if (!entry || !version) throw notARegistry(path);
    if (format === 'json') this.printJson(stored);
    else this.print([`Published ${showText(decodeURIComponent(`${entry} ${version}`))}.`]);
    return 0;
  }
}
