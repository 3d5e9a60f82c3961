import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Contribution } from '../../../../cli/proxy/exchange.ts';
import { startProxy } from '../../../../cli/proxy/start-proxy.ts';
import {
  createStdioBackend,
  type StdioBackend,
  type StdioBackendOptions,
} from '../../../../cli/proxy/stdio/create-stdio-backend.ts';
import type { PlanInput } from '../../../../cli/run/plan.ts';
import { type LogLine, makePlan } from '../start-test-proxy.ts';

const SERVER = fileURLToPath(new URL('../../../fixtures/stdio-server.mjs', import.meta.url));

export interface StdioProxy {
  readonly url: string;
  readonly origin: string;
  readonly backend: StdioBackend;
  readonly logged: LogLine[];
  /** Starts another life of the process. */
  restart(): void;
  /** Ends the process, and waits until the backend has noticed. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export interface StdioProxyOptions {
  readonly proxy?: PlanInput['proxy'];
  readonly flags?: readonly string[];
  /** Another server than that of the tests: arguments of Node. */
  readonly server?: readonly string[];
  readonly backend?: Partial<StdioBackendOptions>;
  readonly contributions?: readonly Contribution[];
  /** False to start without a process. */
  readonly isStarted?: boolean;
}

/** The proxy on a free port in front of the stdio server of the tests, joined by plain pipes. */
export async function startStdioProxy(options: StdioProxyOptions = {}): Promise<StdioProxy> {
  const plan = makePlan({ transport: 'stdio', proxy: { ...options.proxy } });
  const logged: LogLine[] = [];
  const log: StdioBackendOptions['log'] = (level, fields, message) =>
    void logged.push({ level, fields, message });
  const backend = createStdioBackend({ plan, log, ...options.backend });
  const children = new Set<ChildProcess>();
  const restart = (): void => {
    const child = spawn(process.execPath, [...(options.server ?? [SERVER]), ...(options.flags ?? [])], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    children.add(child);
    child.stderr.resume();
    const closed = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    // An attached stream of an engine is one duplex; of the pipe only the writing half is used.
    const stdin = child.stdin as unknown as Parameters<StdioBackend['attach']>[0]['stdin'];
    const destroy = (): void => void child.kill('SIGKILL');
    backend.attach({ stdin, stdout: child.stdout, stderr: child.stderr, closed, destroy });
  };
  if (options.isStarted !== false) {
    restart();
    await backend.probe(AbortSignal.timeout(10_000)).catch(() => undefined);
  }
  const proxy = await startProxy({ plan, backend, contributions: options.contributions ?? [], log });
  return {
    url: proxy.url,
    origin: `http://127.0.0.1:${proxy.port}`,
    backend,
    logged,
    restart,
    async stop() {
      for (const child of children) child.kill('SIGKILL');
      await waitFor(() => !backend.isAvailable());
    },
    async close() {
      await proxy.close(20);
      await backend.close();
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

/** Waits for a condition, looking again every few milliseconds. */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  what = 'the condition',
): Promise<NonNullable<T>> {
  const end = performance.now() + 10_000;
  for (;;) {
    const value = await condition();
    if (value) return value as NonNullable<T>;
    if (performance.now() > end) throw new Error(`${what} did not come about`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
