import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { findCommand } from './built-command.ts';
import { childEnvironment } from './child-environment.ts';
import { type Ask, ask, type Reply } from './http-client.ts';
import { waitUntil } from './wait-until.ts';

export interface StartOptions {
  /** The script to run instead of the built command. */
  readonly command?: string;
  /** Where the configuration is written; a directory of its own when absent. */
  readonly dir?: string;
  /** True: the directory outlives the service. */
  readonly keepDirectory?: boolean;
  /** Puts further files beside the configuration before it is read. */
  readonly prepare?: (dir: string) => void;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** False: only that it listens is waited for. */
  readonly untilReady?: boolean;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** `berth serve` as a process of its own. */
export interface Service {
  readonly url: string;
  readonly internalUrl: string;
  readonly dir: string;
  readonly configFile: string;
  readonly pid: number;
  /** Everything it logged so far. */
  log(): string;
  /** Asks the main port. */
  ask(path: string, options?: Ask): Promise<Reply>;
  /** Asks the internal port. */
  probe(path: string, options?: Ask): Promise<Reply>;
  /** Replaces the configuration file at once, as editors do. */
  configure(config: object | string): void;
  signal(name: NodeJS.Signals): void;
  readonly exited: Promise<Exit>;
  /** Ends it, the hard way when it does not want to, and removes its directory. */
  stop(): Promise<void>;
}

/**
 * Serves a configuration with the built command on two free ports of loopback.
 * @param config an object, written as YAML, or text
 */
export async function startService(config: object | string, options: StartOptions = {}): Promise<Service> {
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'berth-e2e-'));
  const configFile = join(dir, 'registry.config.yaml');
  writeFileSync(configFile, toYaml(config));
  options.prepare?.(dir);
  const child = spawn(
    process.execPath,
    [
      options.command ?? findCommand(),
      ...['serve', '--config', configFile, '--address', '127.0.0.1:0', '--internal-address', '127.0.0.1:0'],
      ...(options.args ?? []),
    ],
    { cwd: dir, env: childEnvironment(options.env), stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const exited = watchExit(child);
  let gone: Exit | undefined;
  void exited.then((exit) => {
    gone = exit;
  });
  const stop = async (): Promise<void> => {
    if (!gone) child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), 8000);
    await exited;
    clearTimeout(force);
    if (!options.keepDirectory) rmSync(dir, { recursive: true, force: true });
  };
  try {
    const found = await waitUntil(() => gone ?? findAddresses(log), 'where the service listens', 20_000);
    if (!('address' in found)) throw new Error(`it ended with ${found.code ?? found.signal}`);
    const { address, internalAddress } = found;
    const service: Service = {
      url: address,
      internalUrl: internalAddress,
      dir,
      configFile,
      pid: child.pid ?? 0,
      log: () => log,
      ask: (path, how) => ask(address + path, how),
      probe: (path, how) => ask(internalAddress + path, how),
      configure: (next) => replaceFile(configFile, toYaml(next)),
      signal: (name) => child.kill(name),
      exited,
      stop,
    };
    if (options.untilReady !== false) {
      await waitUntil(async () => (await service.probe('/readiness')).status === 200, 'readiness', 30_000);
    }
    return service;
  } catch (error) {
    await stop();
    throw new Error(`The service did not start; it logged:\n${log}`, { cause: error });
  }
}

/** Writes a file so that no reader sees half of it. */
export function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.next`, text);
  renameSync(`${path}.next`, path);
}

/** The lines of a file of JSON lines. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert on lines, they do not describe them
export function readJsonLines(path: string): any[] {
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function toYaml(config: object | string): string {
  return typeof config === 'string' ? config : stringify(config, { aliasDuplicateObjects: false });
}

/** The child also ends when this process does. */
function watchExit(child: ChildProcess): Promise<Exit> {
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      process.off('exit', kill);
      resolve({ code, signal });
    });
  });
}

/** Where a service says it serves, in what it logged. */
export function findAddresses(log: string): { address: string; internalAddress: string } | undefined {
  const line = log.split('\n').find((one) => one.includes('"msg":"serving"'));
  return line === undefined ? undefined : JSON.parse(line);
}
