import { chmod, link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { BerthError, messageOf } from '../../sources/errors.ts';
import { hasCode } from './has-code.ts';
import { withFileLock } from './with-file-lock.ts';
import type { WorkloadPaths } from './workload-paths.ts';
import { type WorkloadState, workloadStateSchema } from './workload-state.ts';

const SUFFIX = '.json';

/** A state file that cannot be read: `error` names it. */
export interface BrokenState {
  readonly name: string;
  readonly error: BerthError;
}

/**
 * The states of the workloads of one user, one file each (contract 3). Reading writes nothing. Every change is one
 * atomic write under a lock, so that processes may change one workload at the same time.
 */
export class WorkloadStore {
  readonly paths: WorkloadPaths;
  readonly #now: () => Date;

  constructor(paths: WorkloadPaths, now: () => Date = () => new Date()) {
    this.paths = paths;
    this.#now = now;
  }

  /** @throws BerthError `state_corrupt` naming the file */
  async read(name: string): Promise<WorkloadState | undefined> {
    const file = this.paths.state(name);
    let text: string;
    try {
      text = await readFile(file, 'utf8');
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw unreadable(file, messageOf(error), error);
    }
    return parseState(file, text);
  }

  /** Every workload by name, and the files that hold none. */
  async list(): Promise<{
    readonly states: readonly WorkloadState[];
    readonly broken: readonly BrokenState[];
  }> {
    const states: WorkloadState[] = [];
    const broken: BrokenState[] = [];
    for (const name of await this.names()) {
      try {
        const state = await this.read(name);
        if (state) states.push(state);
      } catch (error) {
        if (!(error instanceof BerthError)) throw error;
        broken.push({ name, error });
      }
    }
    return { states, broken };
  }

  async names(): Promise<readonly string[]> {
    try {
      const files = await readdir(this.paths.workloads);
      return files
        .filter((file) => file.endsWith(SUFFIX) && !file.startsWith('.'))
        .map((file) => file.slice(0, -SUFFIX.length))
        .sort();
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return [];
      throw unreadable(this.paths.workloads, messageOf(error), error);
    }
  }

  /**
   * Takes a name: of any number of processes that try at once, one gets it.
   * @throws BerthError `workload_exists` that says which group has it
   */
  async reserve(state: WorkloadState): Promise<void> {
    const { name } = state.plan;
    const file = this.paths.state(name);
    await makePrivateDirectory(this.paths.workloads);
    const draft = `${this.paths.workloads}/.${name}.${process.pid}.${Math.random().toString(36).slice(2)}`;
    await writeFile(draft, print(state), { mode: 0o600, flag: 'wx' });
    try {
      // A link is made whole or not at all, and never over another file.
      await link(draft, file);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw unwritable(file, error);
      throw await this.#taken(name);
    } finally {
      await rm(draft, { force: true });
    }
  }

  async #taken(name: string): Promise<BerthError> {
    const group = await this.read(name).then(
      (state) => state?.plan.group,
      () => undefined,
    );
    return new BerthError(
      'workload_exists',
      `There is already a workload "${name}"${group === undefined ? '' : ` in the group ${group}`}.`,
      {
        at: { flag: '--name' },
        fix: `Choose another --name, start it with \`berth start ${name}\` or remove it with \`berth rm ${name}\`.`,
      },
    );
  }

  /**
   * Changes a state. Answers what it is then; undefined when the workload is gone, which is then left so.
   * @param change answers the new state; the same object changes nothing
   */
  async update(
    name: string,
    change: (state: WorkloadState) => WorkloadState,
  ): Promise<WorkloadState | undefined> {
    const file = this.paths.state(name);
    // Without the file there may be no directory to put the lock into.
    if ((await this.read(name)) === undefined) return undefined;
    return withFileLock(file, async () => {
      const before = await this.read(name);
      if (before === undefined) return undefined;
      const after = change(before);
      if (after === before) return before;
      const stamped = { ...after, updated: this.#now().toISOString() };
      await this.#write(file, stamped);
      return stamped;
    });
  }

  async #write(file: string, state: WorkloadState): Promise<void> {
    const { default: writeFileAtomic } = await import('write-file-atomic');
    try {
      await writeFileAtomic(file, print(state), { mode: 0o600 });
    } catch (error) {
      throw unwritable(file, error);
    }
  }

  /** Forgets a workload with its logs and small files; a state that cannot be read goes too. */
  async remove(name: string): Promise<void> {
    await rm(this.paths.runtime(name), { recursive: true, force: true });
    await rm(this.paths.logsOf(name), { recursive: true, force: true });
    await rm(this.paths.state(name), { force: true });
  }
}

/** Creates a directory and what is above it, for the user alone. */
export async function makePrivateDirectory(path: string): Promise<void> {
  try {
    if ((await mkdir(path, { recursive: true, mode: 0o700 })) !== undefined) await chmod(path, 0o700);
  } catch (error) {
    throw unwritable(dirname(path), error);
  }
}

function print(state: WorkloadState): string {
  return `${JSON.stringify(state, null, 2)}\n`;
}

function parseState(file: string, text: string): WorkloadState {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw unreadable(file, messageOf(error), error);
  }
  const parsed = workloadStateSchema.safeParse(value);
  if (!parsed.success)
    throw unreadable(file, z.prettifyError(parsed.error).replace(/\s*\n\s*/g, ' '), parsed.error);
  return parsed.data;
}

function unreadable(file: string, why: string, cause: unknown): BerthError {
  return new BerthError('state_corrupt', `The state of this workload cannot be read (${why}).`, {
    at: { file },
    fix: 'Repair the file, or remove the workload with `berth rm`.',
    cause,
  });
}

function unwritable(file: string, cause: unknown): BerthError {
  return new BerthError('state_unwritable', `The state cannot be written (${messageOf(cause)}).`, {
    at: { file },
    fix: 'Make its directory writable, or set XDG_STATE_HOME to one that is.',
    cause,
  });
}
