import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findCommand, ROOT } from '../../support/built-command.ts';
import { childEnvironment } from '../../support/child-environment.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Printed, Terminal } from './terminal.ts';

/** What of the repository the guides use once Berth is installed. */
const INSTALLED = ['node_modules', 'sources', 'server', 'cli', 'deploy', 'tests', 'tsconfig.json'];
const COPIED = ['package.json', 'build.config.mjs', 'registry.config.yaml'];
const START_MS = 60_000;
/** Repositories of the examples. */
const GIT_SERVER = 'https://git.example.com/';

export interface ReaderOptions {
  /** Whether Berth is cloned into `~/berth` already, as the page about installing leaves it. */
  readonly hasBerth: boolean;
  /** What is replaced in files and commands by what the test has instead. */
  readonly replaced: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Somebody at a machine of their own: a home, a terminal, git, Node, and `berth` on the path. */
export class Reader {
  readonly home: string;
  /** Bare repositories behind `https://git.example.com/`. */
  readonly remotes: string;
  readonly #options: ReaderOptions;
  readonly #scratch: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #terminals: Terminal[] = [];
  readonly #main: Terminal;
  #directory: string;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#scratch = mkdtempSync(join(tmpdir(), 'berth-guide-'));
    const bin = join(this.#scratch, 'bin');
    this.home = join(this.#scratch, 'home');
    this.remotes = join(this.#scratch, 'remotes');
    for (const path of [bin, this.home, this.remotes]) mkdirSync(path);
    this.#directory = this.home;
    const command = join(bin, 'berth');
    writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${findCommand()}' "$@"\n`);
    chmodSync(command, 0o755);
    writeFileSync(join(this.home, '.gitconfig'), this.#gitConfig());
    if (options.hasBerth) installBerth(join(this.home, 'berth'));
    this.#env = {
      ...childEnvironment({ HOME: this.home, PATH: `${bin}:${process.env.PATH}` }),
      // No directory, cache or question of the machine's own.
      ...{ XDG_CONFIG_HOME: '', XDG_STATE_HOME: '', XDG_DATA_HOME: '', GIT_TERMINAL_PROMPT: '0' },
      npm_config_update_notifier: 'false',
      npm_config_loglevel: 'error',
      // What is not here is not fetched.
      npm_config_offline: 'true',
      ...options.env,
    };
    this.#main = this.#open();
  }

  /** Types a command into the first terminal. */
  async run(command: string, limitMs = 60_000): Promise<Printed> {
    const printed = await this.#main.run(this.replace(command), limitMs);
    this.#directory = printed.directory;
    return printed;
  }

  /** Types a command into a new terminal and waits until what it says it serves answers. */
  async start(command: string): Promise<void> {
    const terminal = this.#open();
    terminal.type(this.replace(command));
    const answered = await waitUntil(
      async () => terminal.hasEnded() || (await answersWhereItSays(terminal.said)),
      `an answer of ${command}`,
      START_MS,
    ).catch(() => false);
    if (!answered || terminal.hasEnded()) throw new Error(`${command} printed:\n${terminal.said}`);
  }

  /** Saves a file; its path starts where the first terminal is. */
  write(file: string, text: string): void {
    const path = join(this.#directory, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, this.replace(text));
  }

  /** A text with what the test has in place of hosts that only exist in examples. */
  replace(text: string): string {
    const replaced = { [GIT_SERVER]: `file://${this.remotes}/`, ...this.#options.replaced };
    return Object.entries(replaced).reduce(
      (changed, [example, ours]) => changed.replaceAll(example, ours),
      text,
    );
  }

  async close(): Promise<void> {
    for (const terminal of this.#terminals.reverse()) await terminal.close();
    rmSync(this.#scratch, { recursive: true, force: true });
  }

  #open(): Terminal {
    const terminal = new Terminal(
      this.home,
      this.#env,
      join(this.#scratch, `typed-${this.#terminals.length}.sh`),
    );
    this.#terminals.push(terminal);
    return terminal;
  }

  #gitConfig(): string {
    return `[user]
  name = Ada
  email = ada@acme.example
[init]
  defaultBranch = main
[protocol "file"]
  allow = always
[advice]
  detachedHead = false
`;
  }
}

/** As a clone in which `npm install` ran; the built command is newer than every source, so nothing builds it anew. */
function installBerth(directory: string): void {
  mkdirSync(directory);
  for (const name of INSTALLED) symlinkSync(join(ROOT, name), join(directory, name));
  for (const name of COPIED) cpSync(join(ROOT, name), join(directory, name));
  copyBuilt(join(directory, 'dist'));
}

/** The built command as it is now: another test may build it anew. Its pages are many, and stay where they are. */
function copyBuilt(directory: string): void {
  const built = dirname(findCommand());
  mkdirSync(directory);
  for (const entry of readdirSync(built, { withFileTypes: true })) {
    const [from, to] = [join(built, entry.name), join(directory, entry.name)];
    if (entry.name === 'site') symlinkSync(from, to);
    else cpSync(from, to, { recursive: true });
  }
}

/** Whether something answers at the first address of an output; the service itself has to be ready. */
async function answersWhereItSays(output: string): Promise<boolean> {
  const url = /"internalAddress":"([^"]+)"/.exec(output)?.[1];
  if (url) return (await fetch(`${url}/readiness`)).status === 200;
  // The service logs both addresses in one line.
  if (output.includes('berth serve') || output.includes('{"level"')) return false;
  const [other] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
  if (!other) return false;
  await fetch(other);
  return true;
}
