import { spawn } from 'node:child_process';
import { simpleGit } from 'simple-git';

/** Git in one clone. Both functions reject with git's own message, which may hold paths: it is to be explained. */
export interface GitRunner {
  /** Runs a command and answers what it printed. */
  run(arguments_: readonly string[]): Promise<string>;
  /** Runs a command that reads its standard input, and answers the bytes it printed. */
  feed(
    arguments_: readonly string[],
    input: string,
    extraConfig?: readonly [string, string],
  ): Promise<Buffer>;
}

export interface RunGitOptions {
  /** Absolute; must exist. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Milliseconds without a sign of life after which git is ended. */
  readonly silenceMs: number;
  /** Most bytes `feed` takes. */
  readonly maxOutputBytes: number;
}

export function createGitRunner(options: RunGitOptions): GitRunner {
  const git = simpleGit({
    baseDir: options.directory,
    abort: options.signal,
    timeout: { block: options.silenceMs },
    maxConcurrentProcesses: 1,
    // The environment is built by us alone, so what it names is meant.
    allowEnvironment: Object.keys(options.environment),
    unsafe: { allowUnsafeConfigPaths: true, allowUnsafeConfigEnvCount: true, allowUnsafeSshCommand: true },
  }).env({ ...options.environment });
  return {
    run: (arguments_) => git.raw([...arguments_]),
    feed: (arguments_, input, extraConfig) => feedGit(options, arguments_, input, extraConfig),
  };
}

// simple-git has no way to write to the standard input of a command.
function feedGit(
  options: RunGitOptions,
  arguments_: readonly string[],
  input: string,
  extraConfig: readonly [string, string] | undefined,
): Promise<Buffer> {
  const count = Number(options.environment.GIT_CONFIG_COUNT ?? 0);
  const extra = extraConfig && {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: extraConfig[0],
    [`GIT_CONFIG_VALUE_${count}`]: extraConfig[1],
  };
  return new Promise((resolve, reject) => {
    const child = spawn('git', arguments_, {
      cwd: options.directory,
      env: { ...options.environment, ...extra },
      stdio: ['pipe', 'pipe', 'pipe'],
      signal: options.signal,
    });
    const output: Buffer[] = [];
    let size = 0;
    let complaint = '';
    let silence: NodeJS.Timeout | undefined;
    const end = (message: string) => {
      complaint = message;
      child.kill('SIGKILL');
    };
    const hear = () => {
      clearTimeout(silence);
      silence = setTimeout(() => end('the connection timed out'), options.silenceMs);
    };
    hear();
    child.stdout.on('data', (chunk: Buffer) => {
      hear();
      size += chunk.length;
      if (size > options.maxOutputBytes) end('the files are too large');
      else output.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      hear();
      complaint = (complaint + chunk.toString()).slice(-10_000);
    });
    // A command that ends early closes its input; what it says about that is in its exit.
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => {
      clearTimeout(silence);
      reject(error);
    });
    child.on('close', (code) => {
      clearTimeout(silence);
      if (code === 0) resolve(Buffer.concat(output));
      else reject(new Error(complaint || `git ended with ${code}`));
    });
    child.stdin.end(input);
  });
}
