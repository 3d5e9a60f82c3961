import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { request } from 'undici';
import { z } from 'zod';
import type { BenchContext, Outcome, Row } from '../bench-context.ts';
import { median } from '../median.ts';
import { directoriesIn } from '../processes/directories-in.ts';

const execute = promisify(execFile);
const IMAGE = 'berth-test/mcp:1';
const GATEWAY = 'berth-test/gateway:1';
const NAME = 'berth-bench-run';
const MOST_OVER_MS = 2500;
const MOST_MB = 80;
const IDLE_MS = 5_000;
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
});
const stateSchema = z.looseObject({ supervisor: z.looseObject({ pid: z.int() }) });
const listSchema = z.array(z.looseObject({ name: z.string(), url: z.string() }));

/**
 * `berth run` of an image that is there, isolated, until `initialize` is answered through the proxy, against
 * `docker run -i` of the same image until it is answered on standard streams; and the supervisor afterwards.
 * Only where the images of the tests are (`npx tsx tests/support/prepare-engine.ts`).
 */
export const runRow: Row = {
  name: 'run',
  async measure(context): Promise<readonly Outcome[]> {
    const there = await execute('docker', ['image', 'inspect', IMAGE, GATEWAY]).catch(() => undefined);
    if (there === undefined) {
      return [
        { what: 'run of a present image', measured: 'not measured: no engine with the images of the tests' },
      ];
    }
    const home = await mkdtemp(join(tmpdir(), 'bench-run-'));
    const env = { ...process.env, ...directoriesIn(home), BERTH_GATEWAY_IMAGE: GATEWAY };
    try {
      return await compare(context, env);
    } finally {
      await berth(context, env, 'rm', NAME).catch(() => undefined);
      await rm(home, { recursive: true, force: true });
    }
  },
};

async function compare(context: BenchContext, env: NodeJS.ProcessEnv): Promise<readonly Outcome[]> {
  const [own, ours]: [number[], number[]] = [[], []];
  let megabytes = Number.NaN;
  for (let run = 0; run < context.scale.runs; run++) {
    own.push(await timeContainer());
    const begun = performance.now();
    await berth(context, env, 'run', IMAGE, '--name', NAME, '--transport', 'stdio', '--isolate-network');
    await initialize(context, env);
    ours.push(performance.now() - begun);
    if (run === context.scale.runs - 1) {
      await new Promise((resolve) => setTimeout(resolve, context.scale.judges ? IDLE_MS : 0));
      megabytes = await measureSupervisor(env);
    }
    await berth(context, env, 'rm', NAME);
  }
  const over = median(ours) - median(own);
  const [run, container] = [median(ours), median(own)].map((ms) => (ms / 1000).toFixed(2));
  return [
    {
      what: 'run of a present image, isolated, until initialize is answered: over the container alone',
      measured: `${(over / 1000).toFixed(2)} s (${run} s against ${container} s)`,
      target: `< ${MOST_OVER_MS / 1000} s`,
      isMet: over < MOST_OVER_MS,
    },
    {
      what: 'resident memory of an idle supervisor',
      measured: `${megabytes.toFixed(0)} MB`,
      target: `< ${MOST_MB} MB`,
      isMet: megabytes < MOST_MB,
    },
  ];
}

function berth({ berth: script }: BenchContext, env: NodeJS.ProcessEnv, ...args: readonly string[]) {
  return execute(process.execPath, [script, ...args], { env });
}

async function initialize(context: BenchContext, env: NodeJS.ProcessEnv): Promise<void> {
  const { stdout } = await berth(context, env, 'list', '--format', 'json');
  const url = listSchema.parse(JSON.parse(stdout)).find(({ name }) => name === NAME)?.url;
  if (url === undefined) throw new Error(`run: the workload has no URL: ${stdout}`);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const answer = await request(url, { method: 'POST', headers, body: INITIALIZE });
  const text = await answer.body.text();
  if (answer.statusCode !== 200 || !text.includes('"serverInfo"')) throw new Error(`run: ${text}`);
}

async function timeContainer(): Promise<number> {
  const begun = performance.now();
  const child: ChildProcess = spawn('docker', ['run', '-i', '--rm', '--name', `${NAME}-alone`, IMAGE], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin?.write(`${INITIALIZE}\n`);
  if (child.stdout) await once(child.stdout, 'data');
  const took = performance.now() - begun;
  const ended = once(child, 'exit');
  child.stdin?.end();
  await Promise.race([ended, execute('docker', ['rm', '-f', `${NAME}-alone`]).catch(() => undefined)]);
  await ended;
  return took;
}

async function measureSupervisor(env: NodeJS.ProcessEnv): Promise<number> {
  const file = join(env.XDG_STATE_HOME ?? '', 'berth', 'workloads', `${NAME}.json`);
  const { supervisor } = stateSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  const status = await readFile(`/proc/${supervisor.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}
