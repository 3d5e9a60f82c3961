import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readCatalog } from '../../../sources/catalog/read-catalog.ts';
import { proves } from '../../requirements/proves.ts';
import { type ConsumerBench, readJson, startBench } from '../../support/consumer-bench.ts';
import { makeServer } from '../../support/make-entry.ts';
import { makeSegment, makeWorld } from '../../support/make-world.ts';
import { RICH } from './rich-server.ts';

const BASE = '/registry/main';

/** The catalog the package ships, two versions of something, something gone, and a server with every member. */
async function start(): Promise<ConsumerBench> {
  const bytes = readFileSync(new URL('../../../sources/samples/servers.json', import.meta.url));
  const fetched = {
    layout: 'file' as const,
    files: [{ path: 'servers.json', bytes }],
    origin: { kind: 'file' as const },
    digest: '',
  };
  const { entries } = readCatalog(fetched, { sourceName: 'samples' });
  expect(entries.length).toBeGreaterThan(5);
  const more = [
    makeServer('a.a/two', '1.0.0'),
    makeServer('a.a/two', '2.0.0'),
    makeServer('a.a/gone', '1.0.0', { status: 'deleted' }),
    { ...makeServer('io.example.rich/everything', '1.2.3'), body: RICH },
    ...Array.from({ length: 110 }, (_, i) =>
      makeServer(`many.m/n${i}`, '1.0.0', { body: { title: 'Findable' } }),
    ),
    makeServer('many.m/n7', '0.9.0', { body: { title: 'Findable' } }),
  ];
  return startBench(makeWorld({ main: { segments: [await makeSegment('samples', [...entries, ...more])] } }));
}

/** What VS Code reads without guarding itself. */
const galleryPage = z.object({
  servers: z.array(
    z.object({
      server: z.object({
        name: z.string().min(1),
        description: z.string().min(1),
        version: z.string().min(1),
      }),
      _meta: z.record(z.string(), z.unknown()),
    }),
  ),
  metadata: z.object({ count: z.number(), nextCursor: z.string().optional() }),
});

async function browse(bench: ConsumerBench, search: string): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    // The cursor is appended as it is; the search text is sent with the first page only.
    const more =
      cursor === undefined ? search && `&search=${encodeURIComponent(search)}` : `&cursor=${cursor}`;
    const page = galleryPage.parse(
      readJson(await bench.ask(`${BASE}/v0.1/servers?limit=50&version=latest${more}`)),
    );
    expect(page.servers.length).toBeLessThanOrEqual(50);
    names.push(...page.servers.map(({ server }) => server.name));
    cursor = page.metadata.nextCursor;
  } while (cursor !== undefined);
  return names;
}

describe('VS Code', () => {
  it(`${proves('C-8-01', 'C-5-49')} probes, walks the gallery with raw cursors and opens what it found`, async () => {
    const bench = await start();
    expect((await bench.ask(`${BASE}/v0.1/servers?limit=1`)).status).toBe(200);
    const names = await browse(bench, '');
    expect(names.length).toBeGreaterThan(110);
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toContain('a.a/gone');
    for (const name of names.slice(0, 20)) {
      const path = `${BASE}/v0.1/servers/${encodeURIComponent(name)}/versions/latest`;
      expect(readJson(await bench.ask(path))).toMatchObject({ server: { name } });
    }
  });

  it(`${proves('C-8-01', 'C-5-49')} keeps its search on the pages where it no longer sends it`, async () => {
    const names = await browse(await start(), 'findable');
    expect(names.sort()).toEqual(Array.from({ length: 110 }, (_, i) => `many.m/n${i}`).sort());
  });
});

describe('Copilot CLI', () => {
  it(`${proves('C-8-02', 'C-5-22')} is told 200 for what is listed and 404 for what is not`, async () => {
    const bench = await start();
    const ask = (name: string) =>
      bench.ask(`${BASE}/v0.1/servers/${encodeURIComponent(name)}/versions/latest`, {
        headers: { Accept: 'application/json' },
      });
    expect(readJson(await ask('a.a/two'))).toMatchObject({ server: { name: 'a.a/two', version: '2.0.0' } });
    for (const unlisted of ['a.a/none', 'a.a/gone', 'A.A/two', 'zzz.unknown/x']) {
      expect((await ask(unlisted)).status, unlisted).toBe(404);
    }
  });
});

const text = z.string().optional();
const input = {
  description: text,
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  format: text,
  value: text,
  default: text,
  placeholder: text,
  choices: z.array(z.string()).optional(),
};
const variables = z.record(z.string(), z.object(input)).optional();
const keyValues = z.array(z.object({ ...input, name: z.string(), variables })).optional();
const argument = z.object({
  ...input,
  type: z.string(),
  name: text,
  valueHint: text,
  isRepeated: z.boolean().optional(),
  variables,
});
const transport = z.object({ type: z.string(), url: text, headers: keyValues, variables });
/** RFC 3339, which is all Go's time.Time decodes. */
const time = z.iso.datetime({ offset: true });

/** The types of the official Go client (pkg/api/v0): unknown members are passed over, a wrong type is an error. */
const goServerResponse = z.object({
  server: z.object({
    $schema: text,
    name: z.string(),
    description: z.string(),
    version: z.string(),
    title: text,
    websiteUrl: text,
    repository: z.object({ url: text, source: text, id: text, subfolder: text }).optional(),
    icons: z
      .array(
        z.object({ src: z.string(), mimeType: text, sizes: z.array(z.string()).optional(), theme: text }),
      )
      .optional(),
    packages: z
      .array(
        z.object({
          registryType: z.string(),
          registryBaseUrl: text,
          identifier: z.string(),
          version: text,
          fileSha256: text,
          runtimeHint: text,
          transport,
          runtimeArguments: z.array(argument).optional(),
          packageArguments: z.array(argument).optional(),
          environmentVariables: keyValues,
        }),
      )
      .optional(),
    remotes: z.array(transport).optional(),
    _meta: z
      .object({
        'io.modelcontextprotocol.registry/publisher-provided': z.record(z.string(), z.unknown()).optional(),
      })
      .optional(),
  }),
  _meta: z.object({
    'io.modelcontextprotocol.registry/official': z.object({
      status: z.enum(['active', 'deprecated', 'deleted']),
      statusChangedAt: time,
      statusMessage: text,
      publishedAt: time,
      updatedAt: time,
      isLatest: z.boolean(),
    }),
  }),
});
const goListResponse = z.object({
  servers: z.array(goServerResponse),
  metadata: z.object({ nextCursor: text, count: z.int() }),
});

describe('the official Go client', () => {
  it(`${proves('C-8-03')} can decode lists, versions and details of real servers`, async () => {
    const bench = await start();
    const list = goListResponse.parse(
      readJson(await bench.ask(`${BASE}/v0.1/servers?limit=100&include_deleted=true`)),
    );
    expect(list.servers).toHaveLength(100);
    for (const name of list.servers.map(({ server }) => encodeURIComponent(server.name))) {
      const query = '?include_deleted=true';
      goListResponse.parse(readJson(await bench.ask(`${BASE}/v0.1/servers/${name}/versions${query}`)));
      goServerResponse.parse(
        readJson(await bench.ask(`${BASE}/v0.1/servers/${name}/versions/latest${query}`)),
      );
    }
    const rich = `${BASE}/v0.1/servers/io.example.rich%2Feverything/versions/1.2.3`;
    goServerResponse.parse(readJson(await bench.ask(rich)));
  });
});
