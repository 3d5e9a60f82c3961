import { onTestFinished } from 'vitest';
import type { PlanInput } from '../../../cli/run/plan.ts';
import { assembleContributions } from '../../../cli/workloads/assemble-contributions.ts';
import { type KeyServer, startKeys } from '../proxy/authentication/start-keys.ts';
import { type Answer, speakMcp, startServer, type TestServer } from '../proxy/mcp-server.ts';
import { secretsOf } from '../proxy/secrets-of.ts';
import { startTestProxy, type TestProxy } from '../proxy/start-test-proxy.ts';

export interface GovernedOptions {
  readonly plan?: Partial<PlanInput>;
  readonly answer?: Answer;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Governed {
  readonly proxy: TestProxy;
  readonly server: TestServer;
  /** Lines of the audit that go to the log of the proxy, once the workload has stopped. */
  audited(): Promise<AuditLine[]>;
  /** Ends the contributions as a stop does. */
  stop(): Promise<void>;
}

export interface AuditLine {
  readonly type: string;
  readonly outcome: string;
  readonly [member: string]: unknown;
}

/** A proxy with everything its plan asks for, put together as `berth run` does it, before an MCP server on loopback. */
export async function startGoverned(options: GovernedOptions = {}): Promise<Governed> {
  const server = await startServer(options.answer ?? speakMcp());
  onTestFinished(() => server.close());
  const lines: Buffer[] = [];
  let closing: (() => Promise<void>)[] = [];
  const proxy = await startTestProxy({
    target: `${server.origin}/mcp`,
    ...(options.plan === undefined ? {} : { plan: options.plan }),
    contributions: async (plan, { backend, log }) => {
      const opened = await assembleContributions(plan, {
        env: options.env ?? {},
        log,
        output: {
          write: async (bytes) => lines.push(Buffer.from(bytes)) && bytes.byteLength,
          reopen: async () => undefined,
          close: async () => undefined,
        },
        secrets: secretsOf(options.secrets ?? {}),
        backend,
      });
      closing = opened.map((one) => () => one.close());
      return opened;
    },
  });
  const stop = async (): Promise<void> => {
    await Promise.all(closing.splice(0).map((close) => close()));
  };
  onTestFinished(async () => {
    await stop();
    await proxy.close();
  });
  return {
    proxy,
    server,
    stop,
    async audited() {
      await stop();
      const text = Buffer.concat(lines).toString().trim();
      return text === '' ? [] : text.split('\n').map((line): AuditLine => JSON.parse(line));
    },
  };
}

/** The part of a plan that lets nobody pass without a token of these keys. */
export const trusting = ({ url }: KeyServer): Pick<PlanInput, 'oidc'> => ({
  oidc: { issuer: url, audience: 'tested', insecureAllowHttp: true, allowPrivateIp: true },
});

/** Keys for as long as the running test. */
export async function openKeys(): Promise<KeyServer> {
  const keys = await startKeys();
  onTestFinished(() => keys.close());
  return keys;
}

/** Headers with a token. */
export async function tokenOf(
  keys: KeyServer,
  claims: Record<string, unknown> = {},
): Promise<{ authorization: string }> {
  return { authorization: `Bearer ${await keys.token(claims)}` };
}

export const list = (id: string | number = 1, method = 'tools/list', params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
