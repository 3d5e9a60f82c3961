import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { startTestProxy } from '../cli/proxy/start-test-proxy.ts';
import { startStdioProxy } from '../cli/proxy/stdio/start-stdio-proxy.ts';
import { childEnvironment } from '../support/child-environment.ts';

const SERVERS = 'tests/conformance/server';

/** What the suite is pointed at. */
export interface Subject {
  readonly url: string;
  close(): Promise<void>;
}

/** The server itself, on streamable HTTP. */
export async function startServer(): Promise<Subject> {
  const child = fork(resolve(SERVERS, 'serve-http.ts'), {
    execArgv: ['--import', 'tsx'],
    env: childEnvironment(),
  });
  const [port] = await once(child, 'message');
  return {
    url: `http://127.0.0.1:${Number(port)}/mcp`,
    async close() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** The proxy in front of that server. */
export async function startHttpProxy(target: string): Promise<Subject> {
  return startTestProxy({ target });
}

/** The proxy in front of the same server on standard streams; `modern`: it knows only the revision without sessions. */
export async function startProxyOverStdio(kind: 'both' | 'modern'): Promise<Subject> {
  return startStdioProxy({ server: ['--import', 'tsx', resolve(SERVERS, 'serve-stdio.ts'), kind] });
}
