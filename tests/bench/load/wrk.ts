import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { pinned } from '../processes/pinned.ts';
import type { GenerateLoad, LoadRequest } from './load.ts';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('./wrk.lua', import.meta.url));
const resultSchema = z.object({
  requests: z.number(),
  microseconds: z.number(),
  p50: z.number(),
  p99: z.number(),
  failed: z.number(),
});

/** wrk with one thread on the generator's core. */
export const generateWithWrk: GenerateLoad = async ({ origin, requests, connections, seconds }) => {
  const dir = await mkdtemp(join(tmpdir(), 'bench-wrk-'));
  try {
    const file = join(dir, 'requests');
    await writeFile(file, requests.map((request) => formatRequest(origin, request)).join(''));
    const [command, ...args] = pinned('generator', [
      'wrk',
      ...['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '5s', '-s', SCRIPT, origin],
    ]);
    const { stdout } = await run(command, args, { env: { ...process.env, BENCH_REQUESTS: file } });
    const line = /^RESULT (.+)$/m.exec(stdout)?.[1];
    if (line === undefined) throw new Error(`wrk told no result:\n${stdout}`);
    const result = resultSchema.parse(JSON.parse(line));
    return {
      requests: result.requests,
      perSecond: (result.requests / result.microseconds) * 1e6,
      p50: result.p50 / 1000,
      p99: result.p99 / 1000,
      failed: result.failed,
    };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};

function formatRequest(origin: string, { path, headers = {} }: LoadRequest): string {
  const lines = Object.entries({ Host: new URL(origin).host, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n\0`;
}
