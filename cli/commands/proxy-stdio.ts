import { Command, Option } from 'clipanion';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { findServer } from '../mcp/find-server.ts';
import { headerOption, readHeaders, serverTokenOption } from '../mcp/server-options.ts';
import { showText } from '../show-text.ts';
import { findUserDirectories } from '../user-directories.ts';

export class ProxyStdioCommand extends BerthCommand {
  static override paths = [['proxy', 'stdio']];
  static override usage = Command.Usage({
    ...describeCommand('proxy stdio'),
    details: 'NAME is a workload or a URL. Standard output holds JSON-RPC messages and nothing else.',
    examples: [['As the command of a client that knows no URLs', '$0 proxy stdio fetch']],
  });

  header = headerOption();
  tokenFile = serverTokenOption();
  name = Option.String({ name: 'NAME' });

  async execute(): Promise<number> {
    const { env, stdin, stdout, stderr } = this.context;
    const headers = await readHeaders(this.header, this.tokenFile);
    const url = await findServer(findUserDirectories(env), this.name);
    const [{ Agent, fetch }, { HttpLink }, { SseLink }, { bridgeStdio }] = await Promise.all([
      import('undici'),
      import('../mcp/http-link.ts'),
      import('../mcp/sse-link.ts'),
      import('../mcp/bridge-stdio.ts'),
    ]);
    // A tool may take as long as it takes.
    const dispatcher = new Agent({ bodyTimeout: 0, headersTimeout: 0 });
    const write = (line: string): void => {
      stdout.write(`${line}\n`);
    };
    const options = {
      url,
      headers,
      write,
      fetch: (input: Parameters<typeof fetch>[0], init: Parameters<typeof fetch>[1]) =>
        fetch(input, { ...init, dispatcher }),
    };
    const isSse = url.pathname.replace(/\/$/, '').endsWith('/sse');
    const link = isSse ? new SseLink(options) : new HttpLink(options);
    await bridgeStdio({ input: stdin, link, write, warn: (line) => stderr.write(`${showText(line)}\n`) });
    await dispatcher.destroy();
    return 0;
  }
}
