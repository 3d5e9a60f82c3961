import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process, told from a later one that got the same id. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

/** This process. */
export function identifyProcess(pid: number = process.pid): ProcessIdentity {
  return { pid, startedAt: readProcessStart(pid) ?? 'unknown' };
}

/** Whether exactly this process still runs; one that ended and waits for its parent does not. */
export function isProcessAlive({ pid, startedAt }: ProcessIdentity): boolean {
  return readProcessStart(pid) === startedAt;
}

/**
 * When a process began, as a text that no other process with its id has: clock ticks since the boot and the id of the
 * boot on Linux, the time of `ps` elsewhere. undefined when it does not run.
 */
export function readProcessStart(pid: number): string | undefined {
  return process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid);
}

function readFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything, so count from its end: state is the first field, start the twentieth.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

function readFromPs(pid: number): string | undefined {
  try {
    const [state = 'Z', ...start] = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .trim()
      .split(/\s+/);
    return state.startsWith('Z') || start.length === 0 ? undefined : start.join(' ');
  } catch {
    return undefined;
  }
}
