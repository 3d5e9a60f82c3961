import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { type Place, pinned } from './pinned.ts';

/** A process this benchmark started. */
export interface Started {
  /** Seconds of processor time it has used, all threads together (Linux; NaN elsewhere). */
  cpuSeconds(): Promise<number>;
  /** Resident memory in MB (Linux; NaN elsewhere). */
  residentMb(): Promise<number>;
  /** Ends it by its id and waits until it is gone. */
  stop(): Promise<void>;
}

export interface Starting extends Started {
  /** What `pattern` matches in its output. @throws Error with the output when it ends before, or says nothing */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  /** Waits until `isReady`. @throws Error with the output when it ends before, or takes too long */
  waitUntil(isReady: () => Promise<boolean>): Promise<void>;
}

const TICKS_PER_SECOND = 100;
const LONGEST_START_MS = 300_000;
const POLL_MS = 5;

/** Starts a process on a core. */
export function startProcess(place: Place, command: readonly [string, ...string[]]): Starting {
  const [file, ...args] = pinned(place, command);
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  // Nothing this benchmark started outlives it, also when a row fails.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  let output = '';
  let hasEnded = false;
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-20_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  child.on('error', (error) => keep(Buffer.from(error.message)));
  const ended = new Promise<void>((resolve) =>
    child.once('close', () => {
      hasEnded = true;
      process.off('exit', end);
      resolve();
    }),
  );
  const waitUntil = async (isReady: () => Promise<boolean>) => {
    for (const begun = performance.now(); !(await isReady()); ) {
      const late = performance.now() - begun > LONGEST_START_MS;
      if (hasEnded || late)
        throw new Error(`${command.join(' ')} ${late ? 'is not ready' : 'ended'}:\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
  return {
    waitUntil,
    waitForOutput: async (pattern) => {
      await waitUntil(async () => pattern.test(output));
      const match = pattern.exec(output);
      if (!match) throw new Error('a pattern without a state matches twice');
      return match;
    },
    cpuSeconds: async () => {
      const stat = await readProc(child.pid, 'stat');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    },
    residentMb: async () => Number(/^VmRSS:\s+(\d+)/m.exec(await readProc(child.pid, 'status'))?.[1]) / 1024,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function readProc(pid: number | undefined, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
}
