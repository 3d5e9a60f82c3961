// The client of the conformance suite: logs in to the server of the last argument as `berth run` does, and uses it through the proxy.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { createHttpBackend } from '../../../cli/proxy/http/create-http-backend.ts';
import { startProxy } from '../../../cli/proxy/start-proxy.ts';
import { createRemoteCredentials } from '../../../cli/remote/create-remote-credentials.ts';
import { prepareRemoteLogin } from '../../../cli/remote/prepare-remote-login.ts';
import { browse } from '../../cli/remote/authorization-server.ts';
import { memorySecrets, planRemote } from '../../cli/remote/remote-plan.ts';

const contextSchema = z.looseObject({
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
});

const url = process.argv.at(-1) ?? '';
const context = contextSchema.parse(JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}'));
const secrets = memorySecrets();
if (context.client_secret !== undefined) await secrets.set('given', context.client_secret);
const plan = planRemote(url, {
  skipBrowser: true,
  timeoutMs: 8_000,
  // Scenarios run at the same time; with a fixed client a busy port is an error.
  callbackPort: 20_000 + (process.pid % 10_000),
  ...(context.client_id === undefined ? {} : { clientId: context.client_id }),
  ...(context.client_secret === undefined ? {} : { clientSecret: 'given' }),
});
const log = () => undefined;
await prepareRemoteLogin(plan, {
  secrets,
  isTerminal: false,
  // What the suite expects of a client that has a metadata document.
  clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  showLink: (link) => void browse(link).catch(() => undefined),
});
const remote = await createRemoteCredentials(plan, { secrets, log, onUnauthenticated: log });
const backend = createHttpBackend({
  target: () => new URL(url),
  transport: 'streamable-http',
  proxy: plan.proxy,
  isRemote: true,
  log,
  credentials: async () => (await remote?.headers()) ?? {},
  onUnauthorized: () => remote?.reportUnauthorized(),
  renewCredentials: remote?.renew,
});
const contributions = remote === undefined ? [] : [remote.contribution];
const proxy = await startProxy({ plan, backend, contributions, log });
try {
  const isModern = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION === '2026-07-28';
  const client = new Client(
    { name: 'berth-conformance', version: '1.0.0' },
    isModern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(proxy.url)));
  const { tools } = await client.listTools();
  const [tool] = tools;
  if (tool !== undefined) await client.callTool({ name: tool.name, arguments: {} });
  await client.close();
} finally {
  await proxy.close(50);
  await backend.close();
}
// What the callback of a login still holds open is nothing to wait for.
process.exit(0);
