import { readFile } from 'node:fs/promises';
import { Command, Option } from 'clipanion';
import { z } from 'zod';
import { BerthError, messageOf } from '../../sources/errors.ts';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';
import { withServer } from '../mcp/connect-server.ts';
import { findServer } from '../mcp/find-server.ts';
import {
  headerOption,
  readHeaders,
  readTimeout,
  serverTokenOption,
  timeoutOption,
} from '../mcp/server-options.ts';
import { showResult } from '../mcp/show-result.ts';
import { UsageError } from '../usage-error.ts';
import { findUserDirectories } from '../user-directories.ts';

const argumentsSchema = z.record(z.string(), z.unknown());

export class McpCallCommand extends BerthCommand {
  static override paths = [['mcp', 'call']];
  static override usage = Command.Usage({
    ...describeCommand('mcp call'),
    details: 'NAME is a workload or a URL. A tool that answers with an error ends the command with 1.',
    examples: [['A tool with arguments', '$0 mcp call fetch fetch --args \'{"url":"https://example.com"}\'']],
  });

  server = Option.String('--server', { description: 'the workload or URL, instead of NAME' });
  args = Option.String('--args', { description: 'the arguments of the tool, a JSON object' });
  argsFile = Option.String('--args-file', { description: 'a file with the arguments of the tool' });
  header = headerOption();
  tokenFile = serverTokenOption();
  timeout = timeoutOption();
  format = formatOption(['text', 'json']);
  words = Option.Rest({ name: 'NAME TOOL' });

  async execute(): Promise<number> {
    const format = readFormat(this.format, ['text', 'json']);
    const [server, tool, ...more] = this.server === undefined ? this.words : [this.server, ...this.words];
    if (server === undefined || tool === undefined || more.length > 0) {
      throw new UsageError('Name one server and one tool.', {
        fix: 'Usage: berth mcp call NAME TOOL --args JSON.',
      });
    }
    const timeout = readTimeout(this.timeout);
    const toolArguments = await this.#readArguments();
    const headers = await readHeaders(this.header, this.tokenFile);
    const url = await findServer(findUserDirectories(this.context.env), server);
    const result = await withServer({ url, headers, timeoutMs: timeout }, (client) =>
      client.callTool({ name: tool, arguments: toolArguments }, { timeout }),
    );
    if (format === 'json') this.printJson(result);
    else this.print(showResult(result));
    return result.isError ? 1 : 0;
  }

  async #readArguments(): Promise<Record<string, unknown>> {
    if (this.args !== undefined && this.argsFile !== undefined) {
      throw new UsageError('The arguments are given twice.', { fix: 'Give either --args or --args-file.' });
    }
    const flag = this.argsFile === undefined ? '--args' : '--args-file';
    const text = this.argsFile === undefined ? (this.args ?? '{}') : await readArgumentsFile(this.argsFile);
    try {
      return argumentsSchema.parse(JSON.parse(text));
    } catch {
      throw new UsageError('The arguments are no JSON object.', {
        at: { flag },
        fix: 'Write them as \'{"name":"value"}\'.',
      });
    }
  }
}

async function readArgumentsFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new BerthError('args_file_unreadable', `The file cannot be read (${messageOf(cause)}).`, {
      at: { flag: '--args-file' },
      cause,
    });
  }
}
