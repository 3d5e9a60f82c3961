import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { BerthError } from '../../../sources/errors.ts';
import { proves } from '../../requirements/proves.ts';
import { linesOf } from '../config/config-texts.ts';
import { failure, HOUR, labels, many, openSource, SERVERS } from './api-source.ts';
import { type FakeRegistry, makeServer, startRegistry } from './fake-registry.ts';

const withApi = (api: string, source: string) =>
  `sources:\n  - name: a\n    ${source}\n    api: {endpoint: "https://a.com", ${api}}\nregistries:\n  - {name: r, sources: [a]}\nauth: {mode: anonymous}\n`;

/** With a clock of the test's own, because 10 s are long. */
async function expectDefaultTimeout(): Promise<void> {
  const registry = await startRegistry();
  const asked = new Promise<void>((resolve) => {
    registry.instead = () => {
      resolve();
      return 'hang';
    };
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let ended = false;
  const failed = failure(openSource(registry).fetch()).finally(() => {
    ended = true;
  });
  await asked;
  vi.advanceTimersByTime(9_900);
  await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toBe(false);
  vi.advanceTimersByTime(100);
  expect((await failed).message).toContain('within 10 s');
}

describe('api source: failures', () => {
  it(`${proves('C-12.15-03')} applies nothing of a walk that fails in the middle`, async () => {
    const registry = await startRegistry();
    registry.servers = many(50);
    registry.pageSize = 10;
    const source = openSource(registry);
    expect(labels(await source.fetch())).toHaveLength(50);
    const state = readFileSync(source.state(), 'utf8');

    const now = new Date(source.clock.now).toISOString();
    registry.servers = many(50, now).map(({ name }) => makeServer(name, '2.0.0', now));
    registry.instead = ({ query }) => (query.get('cursor')?.endsWith(':30') ? { status: 500 } : undefined);
    expect((await failure(source.fetch())).code).toBe('source_unreachable');
    expect(readFileSync(source.state(), 'utf8')).toBe(state);
    source.clock.now += 25 * HOUR;
    expect((await failure(source.fetch())).code).toBe('source_unreachable');
    expect(readFileSync(source.state(), 'utf8')).toBe(state);
    source.clock.now -= 25 * HOUR;
    registry.instead = () => undefined;
    expect(labels(await source.fetch())).toHaveLength(100);
  });

  it('tries once more after what may pass, when it is asked to wait a short time only', async () => {
    const registry = await startRegistry();
    registry.servers = many(1);
    const fail = (...replies: ReturnType<FakeRegistry['instead']>[]) => {
      const rest = [...replies];
      registry.instead = ({ path }) => (path === SERVERS ? rest.shift() : undefined);
      const source = openSource(registry);
      return source.fetch().then(
        (result) => ({ got: labels(result).length, waits: source.waits }),
        (error: BerthError) => ({ got: error.code, waits: source.waits }),
      );
    };
    const status = (code: number, retryAfter?: string) => ({
      status: code,
      ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }),
    });
    for (const code of [502, 503, 504, 429]) {
      expect(await fail(status(code))).toEqual({ got: 1, waits: [250] });
    }
    expect(await fail('drop')).toEqual({ got: 1, waits: [250] });
    expect(await fail(status(503, '5'))).toEqual({ got: 1, waits: [5000] });
    expect(await fail(status(503, '6'))).toEqual({ got: 'source_unreachable', waits: [] });
    expect(await fail(status(429, '10'))).toEqual({ got: 1, waits: [10_000] });
    expect(await fail(status(429, '11'))).toEqual({ got: 'source_unreachable', waits: [] });
    expect(await fail(status(503), status(503))).toEqual({ got: 'source_unreachable', waits: [250] });
    expect(await fail('drop', status(503))).toEqual({ got: 'source_unreachable', waits: [250] });
    expect(await fail(status(500))).toEqual({ got: 'source_unreachable', waits: [] });
  });

  it.each<[string, { status: number; body?: string }, string]>([
    ['401', { status: 401 }, 'source_denied'],
    ['403', { status: 403 }, 'source_denied'],
    ['404', { status: 404 }, 'source_not_found'],
    ['no JSON', { status: 200, body: '<html>' }, 'source_invalid'],
    ['another shape', { status: 200, body: '{"error":"no"}' }, 'source_invalid'],
    ['a list that is none', { status: 200, body: '{"servers":{}}' }, 'source_invalid'],
    ['400 whatever is asked', { status: 400 }, 'source_unreachable'],
  ])('says what %s means and which address was asked', async (_, reply, code) => {
    const registry = await startRegistry();
    registry.instead = () => reply;
    const error = await failure(openSource(registry).fetch());
    expect(error.code).toBe(code);
    expect(error.at?.url).toBe(`${registry.url}${SERVERS}`);
    if (code === 'source_not_found') expect(error.describe()).toContain('/v0.1/servers');
    if (code === 'source_invalid') expect(error.message).toContain('Page 1');
  });

  it(`${proves('C-2-31')} gives a request 10 s or what the timeout says, and all of them a bound`, async () => {
    const registry = await startRegistry();
    registry.instead = () => 'hang';
    const error = await failure(openSource(registry, { timeout: '1s' }).fetch());
    expect(error.code).toBe('source_timeout');
    expect(error.message).toContain('within 1 s');
    const slow = openSource(registry, {}, { totalMs: 150 });
    expect((await failure(slow.fetch())).message).toContain('everything within 0.15 s');
    await expectDefaultTimeout();
    expect(linesOf(withApi('timeout: 5m', 'syncPolicy: {interval: 1h}'))).toEqual([]);
    expect(linesOf(withApi('timeout: 301s', 'syncPolicy: {interval: 1h}'))).toHaveLength(1);
  });

  it(`${proves('C-2-15')} has to be told how often`, () => {
    expect(linesOf(withApi('incremental: true', 'allowEmpty: false'))).toEqual([
      expect.stringContaining('syncPolicy.interval is required for a api source'),
    ]);
  });

  it('passes on why it was told to stop', async () => {
    const registry = await startRegistry();
    const stop = new AbortController();
    registry.instead = () => {
      stop.abort(new Error('stopping'));
      return 'hang';
    };
    await expect(openSource(registry).fetch(stop.signal)).rejects.toThrow('stopping');
  });

  it('reaches no private address unless it may', async () => {
    const registry = await startRegistry();
    const direct = openSource(registry, {}, { allowPrivate: false });
    expect((await failure(direct.fetch())).code).toBe('source_private_address');
    const named = openSource(
      { ...registry, url: registry.url.replace('127.0.0.1', 'registry.example') },
      {},
      {
        allowPrivate: false,
        resolve: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
      },
    );
    expect((await failure(named.fetch())).code).toBe('source_private_address');
    expect(registry.asked).toEqual([]);
  });

  it('refuses a registry that never ends', async () => {
    const registry = await startRegistry();
    const page = JSON.stringify(many(1)[0]?.item);
    const items = Array.from({ length: 60_000 }, () => page).join(',');
    registry.instead = (_, count) => ({
      status: 200,
      body: `{"servers":[${items}],"metadata":{"nextCursor":"${count}"}}`,
    });
    const error = await failure(openSource(registry).fetch());
    expect(error.code).toBe('source_too_large');
  });
});
