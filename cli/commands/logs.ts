import { Command, Option } from 'clipanion';
import { describeCommand } from '../command-table.ts';
import { isTerminal } from '../is-colorful.ts';
import { showText } from '../show-text.ts';
import { UsageError } from '../usage-error.ts';
import { followLog, readLogTail, sizeOfLog } from '../workloads/read-log.ts';
import { requireName } from '../workloads/require-workload.ts';
import { WorkloadCommand } from '../workloads/workload-command.ts';

const LOOK_MS = 1_000;

export class LogsCommand extends WorkloadCommand {
  static override paths = [['logs']];
  static override usage = Command.Usage({
    ...describeCommand('logs'),
    details: `
      Lines of containers that crashed or were stopped are kept: 10 MB in each of three files. --proxy shows what the
      proxy and the gateway say instead, one JSON object a line.
    `,
    examples: [
      ['All lines', '$0 logs fetch'],
      ['The last fifty, and what comes', '$0 logs fetch --tail 50 -f'],
      ['Refused connections and requests', '$0 logs fetch --proxy'],
    ],
  });

  name = Option.String({ name: 'NAME' });
  follow = Option.Boolean('-f,--follow', false, {
    description: 'go on until Ctrl+C, or the workload is removed',
  });
  proxy = Option.Boolean('--proxy', false, {
    description: 'the log of the proxy instead of that of the server',
  });
  tail = Option.String('--tail', { description: 'only so many of the last lines' });

  async execute(): Promise<number> {
    const lines = readCount(this.tail);
    const store = this.openStore();
    await requireName(store, this.name);
    const path = this.proxy ? store.paths.proxyLog(this.name) : store.paths.serverLog(this.name);
    const known = await sizeOfLog(path);
    const text = await readLogTail(path, lines);
    if (text !== '') this.#show(`${text}\n`);
    if (!this.follow) return 0;
    const gone = new AbortController();
    const look = setInterval(async () => {
      if (!(await store.names()).includes(this.name)) gone.abort();
    }, LOOK_MS);
    try {
      await followLog(path, known, (piece) => this.#show(piece), gone.signal);
    } finally {
      clearInterval(look);
    }
    return 0;
  }

  /** A server must not steer the terminal of whoever reads its log; a program gets every byte. */
  #show(text: Buffer | string): void {
    const { stdout } = this.context;
    stdout.write(isTerminal(stdout) ? String(text).split('\n').map(showText).join('\n') : text);
  }
}

function readCount(given: string | undefined): number {
  if (given === undefined) return Number.POSITIVE_INFINITY;
  if (/^\d+$/.test(given)) return Number(given);
  throw new UsageError(`"${given}" is no number of lines.`, { at: { flag: '--tail' } });
}
