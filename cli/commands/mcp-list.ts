import { Command, Option } from 'clipanion';
import { suggestName } from '../../sources/config/nearest-name.ts';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';
import { withServer } from '../mcp/connect-server.ts';
import { findServer } from '../mcp/find-server.ts';
import { KINDS, type Kind, listOf } from '../mcp/list-kinds.ts';
import {
  headerOption,
  readHeaders,
  readTimeout,
  serverTokenOption,
  timeoutOption,
} from '../mcp/server-options.ts';
import { printTable } from '../print-table.ts';
import { UsageError } from '../usage-error.ts';
import { findUserDirectories } from '../user-directories.ts';

export class McpListCommand extends BerthCommand {
  static override paths = [['mcp', 'list']];
  static override usage = Command.Usage({
    ...describeCommand('mcp list'),
    details: 'NAME is a workload or a URL; KIND is tools (default), resources or prompts.',
    examples: [
      ['The tools of a workload', '$0 mcp list fetch'],
      ['The prompts of a server elsewhere', '$0 mcp list https://mcp.example.com/mcp prompts'],
    ],
  });

  server = Option.String('--server', { description: 'the workload or URL, instead of NAME' });
  header = headerOption();
  tokenFile = serverTokenOption();
  timeout = timeoutOption();
  format = formatOption(['text', 'json']);
  words = Option.Rest({ name: 'NAME KIND' });

  async execute(): Promise<number> {
    const format = readFormat(this.format, ['text', 'json']);
    const { server, kind } = this.#readWords();
    const timeoutMs = readTimeout(this.timeout);
    const headers = await readHeaders(this.header, this.tokenFile);
    const url = await findServer(findUserDirectories(this.context.env), server);
    const items = await withServer({ url, headers, timeoutMs }, (client) => listOf(client, kind, timeoutMs));
    if (format === 'json') this.printJson({ [kind]: items.map(({ item }) => item) });
    else if (items.length === 0) this.print([`There are no ${kind}.`]);
    else {
      const table = printTable(
        [
          { title: 'NAME', of: ({ name }) => name },
          { title: 'DESCRIPTION', of: ({ description }) => description.split('\n')[0] ?? '' },
        ],
        items,
      );
      this.print(table);
    }
    return 0;
  }

  #readWords(): { server: string; kind: Kind } {
    const words = this.server === undefined ? this.words : [this.server, ...this.words];
    const [server, given = 'tools', ...more] = words;
    if (server === undefined || more.length > 0) {
      throw new UsageError('Name one server.', {
        fix: 'Usage: berth mcp list NAME [tools|resources|prompts].',
      });
    }
    const kind = KINDS.find((known) => known === given);
    if (kind) return { server, kind };
    throw new UsageError(`Servers have no ${given}.`, {
      fix: suggestName(given, KINDS) ?? `Use ${KINDS.join(', ')}.`,
    });
  }
}
