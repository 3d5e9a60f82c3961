import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { encodeCursor } from '../../../server/consumer/cursor.ts';
import { proves } from '../../requirements/proves.ts';
import { type ConsumerBench, REQUEST_ID, startBench } from '../../support/consumer-bench.ts';
import { makeFile, makeServer, makeSkill } from '../../support/make-entry.ts';
import { makeIdentity, makeSuperAdmin } from '../../support/make-identity.ts';
import { makeSegment, makeWorld } from '../../support/make-world.ts';

/** All seven members, each with something in it (contract 9, 12.9). */
const problemSchema = z.strictObject({
  type: z.url(),
  title: z.string().min(1),
  status: z.int().min(400).max(499),
  detail: z.string().min(1),
  instance: z.string().includes(REQUEST_ID),
  code: z.string().regex(/^[a-z]+(_[a-z]+)*$/),
  error: z.string().min(1),
});

async function start(): Promise<ConsumerBench> {
  const files = [makeFile('SKILL.md', 'text')];
  const open = await makeSegment(
    'open',
    [makeServer('a.a/x'), makeServer('a.a/x', '2.0.0'), makeSkill('a.a/s', '1.0.0', { files })],
    { org: 'acme' },
  );
  const team = await makeSegment('team', [makeServer('a.a/x', '9.0.0'), makeServer('b.b/x')], {
    team: 'blue',
  });
  const registries = {
    main: { segments: [team, open], claims: { org: 'acme' } },
    bare: { segments: [open] },
    empty: { segments: [], claims: { org: 'acme' } },
  };
  const callers = { acme: makeIdentity({ org: 'acme' }), nobody: makeIdentity({}), admin: makeSuperAdmin() };
  return startBench(makeWorld(registries), { callers });
}

const cursor = encodeCursor({
  filters: { type: 'server', includeDeleted: true },
  after: { name: 'a.a/x', version: '2.0.0' },
});
const ascii = fc.string({ unit: 'binary-ascii', maxLength: 12 });
const wild = fc.oneof(
  ascii,
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('%', '%zz', '%00', '%ff', '..', '%2F', '%2e%2e', '__proto__', 'constructor', '\0'),
);
const segment = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'v0.1',
      'v0',
      'servers',
      'versions',
      'latest',
      '1.0.0',
      'a.a%2Fx',
      'a.a',
      'x',
      'dev.toolhive',
      'skills',
      's',
      '.well-known',
      'agent-skills',
      'index.json',
      'SKILL.md',
      's.tar.gz',
      '',
    ),
  },
  { weight: 1, arbitrary: wild },
);
const route = fc.oneof(
  fc.array(segment, { maxLength: 8 }),
  fc.tuple(fc.constantFrom('v0.1', 'v0'), fc.constant('servers'), segment, fc.constant('versions'), segment),
  fc.tuple(
    fc.constant('v0.1'),
    fc.constant('x'),
    fc.constant('dev.toolhive'),
    fc.constant('skills'),
    segment,
    segment,
  ),
  fc.constantFrom(['v0.1', 'servers'], ['v0.1', 'x', 'dev.toolhive', 'skills']),
);
const parameter = fc.tuple(
  fc.oneof(
    fc.constantFrom(
      'limit',
      'cursor',
      'search',
      'updated_since',
      'version',
      'include_deleted',
      'tag',
      'source',
      'status',
      '__proto__',
    ),
    wild,
  ),
  fc.oneof(
    fc.constantFrom(
      '1',
      '0',
      '100',
      '-1',
      'true',
      'latest',
      cursor,
      '2026-01-01T00:00:00Z',
      'a.a',
      '',
      'team',
      '9'.repeat(400),
    ),
    wild,
  ),
);
const header = fc.oneof(
  ascii,
  fc.constantFrom('*', 'gzip, br', 'br;q=x', '"', 'W/"a"', ', ,', '"a","b', 'identity;q=0'),
);
const request = fc.record({
  method: fc.oneof(
    { weight: 3, arbitrary: fc.constant('GET') },
    fc.constantFrom('HEAD', 'POST', 'PUT', 'OPTIONS', 'TRACE', ''),
  ),
  registry: fc.oneof({ weight: 6, arbitrary: fc.constantFrom('main', 'bare', 'empty') }, wild),
  route,
  query: fc.array(parameter, { maxLength: 4 }),
  headers: fc.record(
    { 'accept-encoding': header, 'if-none-match': header, accept: header, traceparent: header },
    { requiredKeys: [] },
  ),
  as: fc.constantFrom('acme', 'acme', 'admin', 'nobody', 'unknown'),
});

it(`${proves('C-9-01', 'C-9-02', 'C-9-05', 'C-12.9-01')} any request at all gets an answer of the API or a whole problem, never a failure of ours`, async () => {
  const bench = await start();
  const statuses = new Map<number, number>();
  const property = fc.asyncProperty(
    request,
    async ({ method, registry, route: parts, query, headers, as }) => {
      const search = query.map(([key, value]) => `${key}=${value}`).join('&');
      const target = `/registry/${[registry, ...parts].join('/')}${search ? `?${search}` : ''}`;
      const reply = await bench.ask(target, { method, headers, as });
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      expect(reply.headers['x-content-type-options']).toBe('nosniff');
      expect(reply.headers['access-control-allow-origin']).toBe('*');
      if (reply.status >= 400) {
        const problem = problemSchema.parse(JSON.parse(String(reply.body)));
        expect([problem.status, problem.error]).toEqual([reply.status, problem.detail]);
        expect(problem.detail).not.toMatch(/\bat .+:\d+|node_modules|\/work\/|team|acme/);
        return;
      }
      expect([200, 204, 304]).toContain(reply.status);
      if (as === 'acme') expect(String(reply.body)).not.toMatch(/b\.b\/x|9\.0\.0/);
      if (String(reply.headers['content-type']).startsWith('application/json'))
        JSON.parse(String(reply.body) || '{}');
    },
  );
  await fc.assert(property, { numRuns: 8000 });
  for (const status of [200, 204, 304, 400, 401, 403, 404, 405]) {
    expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(3);
  }
});
