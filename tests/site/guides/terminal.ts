import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { waitUntil } from '../../support/wait-until.ts';

const END = '@@ end of step';

export interface Printed {
  /** Both streams, in the order of writing, as a terminal shows them. */
  readonly output: string;
  readonly code: number;
  /** Where the terminal is afterwards. */
  readonly directory: string;
}

/** A shell that a reader types into: its directory, variables and functions last from one command to the next. */
export class Terminal {
  readonly #shell: ChildProcess;
  readonly #script: string;
  #said = '';

  /**
   * @param home where it opens
   * @param script a file for what is typed
   */
  constructor(home: string, env: Readonly<Record<string, string>>, script: string) {
    this.#script = script;
    this.#shell = spawn('bash', ['--noprofile', '--norc'], {
      ...{ cwd: home, env, detached: true },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    for (const stream of [this.#shell.stdout, this.#shell.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.#said += chunk;
      });
    }
  }

  /** What was printed since the last command was typed. */
  get said(): string {
    return this.#said;
  }

  /** Whether the command that was typed last is over. */
  hasEnded(): boolean {
    return this.#said.includes(`\n${END} `);
  }

  /** Types a command and does not wait for it. */
  type(command: string): void {
    writeFileSync(this.#script, `${command}\n`);
    this.#said = '';
    this.#shell.stdin?.write(
      `source '${this.#script}' </dev/null 2>&1; printf '\\n${END} %s %s\\n' "$?" "$PWD"\n`,
    );
  }

  /** Types a command and waits for its end. */
  async run(command: string, limitMs: number): Promise<Printed> {
    this.type(command);
    const ended = new RegExp(`^([^]*)\\n${END} (\\d+) (.*)\\n`);
    const [, output = '', code, directory = ''] = await waitUntil(
      () => {
        if (this.#shell.exitCode !== null) throw new Error('the shell has ended');
        return ended.exec(this.#said) ?? undefined;
      },
      `the end of ${command}; so far it printed: ${this.#said}`,
      limitMs,
    );
    return { output, code: Number(code), directory };
  }

  /** Closes it with all it started. */
  async close(): Promise<void> {
    const { pid } = this.#shell;
    if (pid === undefined) return;
    const ended = this.#shell.exitCode === null ? once(this.#shell, 'close') : undefined;
    const signal = (name: NodeJS.Signals | 0) => {
      try {
        return process.kill(-pid, name);
      } catch {
        return false;
      }
    };
    signal('SIGTERM');
    // A shell at its prompt does not end by SIGTERM.
    this.#shell.stdin?.end();
    await waitUntil(() => !signal(0), `nothing left of process group ${pid}`, 15_000).catch(() =>
      signal('SIGKILL'),
    );
    await ended;
  }
}
