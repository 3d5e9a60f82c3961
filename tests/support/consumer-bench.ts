import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { z } from 'zod';
import type { Identity } from '../../server/auth/identity.ts';
import { answerConsumer } from '../../server/consumer/answer-consumer.ts';
import { Consumer } from '../../server/consumer/consumer.ts';
import { createLog } from '../../server/observe/log.ts';
import { createMetrics } from '../../server/observe/metrics.ts';
import { buildRuntime, type Runtime } from '../../server/runtime.ts';
import type { World } from '../../server/view/world.ts';
import { configSchema } from '../../sources/config/schema.ts';

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose token is sent: a key of the bench's callers. */
  readonly as?: string;
}

export interface Reply {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  readonly body: Buffer;
}

export interface BenchOptions {
  /** Callers by token; without it the mode is anonymous. */
  readonly callers?: Readonly<Record<string, Identity>>;
  readonly maxPageSize?: number;
}

export const silentDeps = { log: createLog({ level: 'silent' }), metrics: createMetrics(false) };
export const REQUEST_ID = 'request-1';

/** The runtime of a configuration, with callers told by their token instead of an identity provider. */
export async function makeRuntime(world: () => World, options: BenchOptions = {}): Promise<Runtime> {
  const { callers, maxPageSize = 100 } = options;
  const config = configSchema.parse({
    sources: [{ name: 'any', managed: {} }],
    registries: [{ name: 'any', sources: ['any'] }],
    auth: { mode: 'anonymous' },
    limits: { maxPageSize },
  });
  const loaded = { config, file: 'registry.config.yaml', baseDir: '/nowhere', dataDir: '/nowhere' };
  const runtime = await buildRuntime(loaded, { ...silentDeps, world });
  if (!callers) return runtime;
  const authenticator: Runtime['authenticator'] = {
    authenticate: (header) =>
      callers[header?.replace(/^Bearer /, '') ?? ''] ?? {
        failure: 'invalid_token',
        description: 'The token is not valid.',
        reason: 'signature',
      },
    challenge: () => 'Bearer realm="test"',
    recalls: () => 0,
  };
  return { ...runtime, authenticator, consumer: new Consumer({ world, maxPageSize, isPublic: false }) };
}

/** Asks the consumer API as the server does, without a socket; `world` may be replaced between requests. */
export interface ConsumerBench {
  world: World;
  /** @param target path with its query, from `/registry/` on */
  ask(target: string, asked?: Asked): Promise<Reply>;
}

export async function startBench(world: World, options: BenchOptions = {}): Promise<ConsumerBench> {
  const current = { world };
  const runtime = await makeRuntime(() => current.world, options);
  const ask = async (target: string, { method = 'GET', headers = {}, as }: Asked = {}): Promise<Reply> => {
    const mark = target.indexOf('?');
    const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    if (as !== undefined) sent.set('authorization', `Bearer ${as}`);
    const request = {
      method,
      path: mark < 0 ? target : target.slice(0, mark),
      query: mark < 0 ? '' : target.slice(mark + 1),
      header: (name: string) => sent.get(name),
    };
    const answer = await answerConsumer(runtime, silentDeps, request, REQUEST_ID, '127.0.0.1');
    const entries = Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value]);
    const received: Record<string, string> = Object.fromEntries(entries);
    const raw = Buffer.from(answer.body ?? '');
    return { status: answer.status, headers: received, body: decompress(raw, received['content-encoding']) };
  };
  return Object.assign(current, { ask });
}

function decompress(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(body);
  return encoding === 'br' ? brotliDecompressSync(body) : body;
}

const metadata = z.strictObject({ count: z.int(), nextCursor: z.string().optional() });
const serverItem = z.strictObject({
  server: z.looseObject({ name: z.string(), version: z.string() }),
  _meta: z.record(z.string(), z.unknown()),
});
const serverList = z.strictObject({ servers: z.array(serverItem), metadata });
const skillItem = z.looseObject({
  namespace: z.string(),
  name: z.string(),
  version: z.string(),
  _meta: z.record(z.string(), z.unknown()),
});
const skillList = z.strictObject({ skills: z.array(skillItem), metadata });

/** A 200 with one server, in exactly the shape of the contract. */
export function readServer(reply: Reply): z.infer<typeof serverItem> {
  return serverItem.parse(readJson(reply));
}

export function readServers(reply: Reply): z.infer<typeof serverList> {
  return serverList.parse(readJson(reply));
}

export function readSkill(reply: Reply): z.infer<typeof skillItem> {
  return skillItem.parse(readJson(reply));
}

export function readSkills(reply: Reply): z.infer<typeof skillList> {
  return skillList.parse(readJson(reply));
}

/** `name@version` of each server of a page. */
export function keysOf(reply: Reply): string[] {
  return readServers(reply).servers.map(({ server }) => `${server.name}@${server.version}`);
}

/** The body of a 200. */
export function readJson(reply: Reply): unknown {
  if (reply.status !== 200) throw new Error(`${reply.status}: ${reply.body.toString()}`);
  return JSON.parse(reply.body.toString());
}
