import { describe, expect, it } from 'vitest';
import { prepareFilter } from '../../../../sources/catalog/entry-filter.ts';
import { customResourceSchema } from '../../../../sources/kinds/kubernetes/custom-resource.ts';
import { readImageVersion } from '../../../../sources/kinds/kubernetes/image-version.ts';
import { translateResource } from '../../../../sources/kinds/kubernetes/translate-resource.ts';
import { PUBLISHER_META } from '../../../../sources/model/meta-keys.ts';
import { proves } from '../../../requirements/proves.ts';

const PREFIX = 'toolhive.stacklok.dev';

interface Given {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly prefix?: string;
  readonly image?: unknown;
  readonly url?: string | undefined;
  readonly metadata?: object;
}

function translate({ annotations = {}, prefix = PREFIX, image, metadata, ...rest }: Given) {
  const url = 'url' in rest ? rest.url : 'http://fetch.tools.svc/mcp';
  const written = Object.entries(annotations).map(([name, value]) => [`${PREFIX}/${name}`, value]);
  const resource = customResourceSchema.parse({
    metadata: { name: 'fetch', namespace: 'tools', annotations: Object.fromEntries(written), ...metadata },
    spec: { image },
    status: { url },
  });
  return translateResource(resource, {
    annotationPrefix: prefix,
    filter: prepareFilter(undefined),
    maxMetaBytes: 1000,
    kind: 'MCPServer',
  });
}

function entryOf(given: Given) {
  const found = translate({ ...given, annotations: { 'registry-export': 'true', ...given.annotations } });
  if (found.outcome !== 'exported') throw new Error(JSON.stringify(found));
  return found.entry;
}

function reasonOf(given: Given) {
  const found = translate({ ...given, annotations: { 'registry-export': 'true', ...given.annotations } });
  return found.outcome === 'rejected' ? found.rejection.reason : found.outcome;
}

describe('what is exported', () => {
  it(`${proves('C-2-44')} needs the export annotation to say true`, () => {
    expect(translate({}).outcome).toBe('hidden');
    expect(translate({ annotations: { 'registry-export': 'false' } }).outcome).toBe('hidden');
    expect(translate({ annotations: { 'registry-title': 'Fetch' } }).outcome).toBe('hidden');
    expect(translate({ annotations: { 'registry-export': 'true' } }).outcome).toBe('exported');
    expect(reasonOf({ annotations: { 'registry-export': 'yes' } })).toBe(
      `annotation ${PREFIX}/registry-export must be "true" or "false"`,
    );
  });

  it(`${proves('C-2-40')} reads annotations below the configured prefix only`, () => {
    const own = { 'mcp.example.com/registry-export': 'true', 'mcp.example.com/registry-title': 'Own' };
    const metadata = { annotations: { ...own, [`${PREFIX}/registry-title`]: 'Theirs' } };
    const found = translate({ metadata, prefix: 'mcp.example.com' });
    expect(found).toMatchObject({ outcome: 'exported', entry: { body: { title: 'Own' } } });
    expect(translate({ metadata }).outcome).toBe('hidden');
  });

  it('needs an address', () => {
    expect(reasonOf({ url: undefined })).toBe(
      'has no address: neither the annotation registry-url nor status.url is set',
    );
    const entry = entryOf({ url: undefined, annotations: { 'registry-url': 'https://mcp.example.com/x' } });
    expect(entry.body.remotes).toEqual([{ type: 'streamable-http', url: 'https://mcp.example.com/x' }]);
  });

  it('passes over parts of a resource that mean something else in other definitions', () => {
    expect(entryOf({ image: { repository: 'x', tag: '2.0.0' } }).version).toBe('1.0.0');
  });
});

describe('the entry', () => {
  it(`${proves('C-2-45', 'S-1-04')} holds what the annotations say`, () => {
    const entry = entryOf({
      annotations: {
        'registry-title': 'Fetch',
        'registry-description': 'Fetches pages',
        'registry-url': 'https://mcp.example.com/fetch',
        'registry-icon': 'https://example.com/fetch.svg',
        'registry-category': 'web',
        'registry-tools': '["fetch", "head"]',
        'registry-version': '2.1.0',
        'authz-claims': '{"org":"acme","team":["data","web"]}',
      },
    });
    expect(entry).toEqual({
      type: 'server',
      name: 'com.toolhive.k8s.tools/fetch',
      version: '2.1.0',
      status: 'active',
      tags: ['web'],
      tools: ['fetch', 'head'],
      claims: { org: 'acme', team: ['data', 'web'] },
      file: 'tools/fetch',
      line: 1,
      body: {
        $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
        name: 'com.toolhive.k8s.tools/fetch',
        title: 'Fetch',
        description: 'Fetches pages',
        version: '2.1.0',
        icons: [{ src: 'https://example.com/fetch.svg' }],
        remotes: [{ type: 'streamable-http', url: 'https://mcp.example.com/fetch' }],
        _meta: {
          [PUBLISHER_META]: {
            'io.github.stacklok': {
              'https://mcp.example.com/fetch': { tags: ['web'], tools: ['fetch', 'head'] },
            },
          },
        },
      },
    });
  });

  it('says little when little is said', () => {
    const entry = entryOf({});
    expect(entry.body).toMatchObject({ description: 'MCPServer fetch in namespace tools', version: '1.0.0' });
    expect(Object.keys(entry.body).sort()).toEqual(['$schema', 'description', 'name', 'remotes', 'version']);
  });

  it('cuts a long description', () => {
    const { description } = entryOf({ annotations: { 'registry-description': 'word '.repeat(60) } }).body;
    expect(String(description).length).toBeLessThanOrEqual(100);
    expect(description).toMatch(/word\.\.\.$/);
  });

  it.each([
    ['fetch, head ,', ['fetch', 'head']],
    ['["fetch"]', ['fetch']],
    ['', []],
  ])('reads the tools %j', (tools, read) => {
    expect(entryOf({ annotations: { 'registry-tools': tools } }).tools).toEqual(read);
  });

  it.each([
    ['registry-tools', '["a"', 'registry-tools must be a JSON array of names'],
    ['registry-tools', '[1]', 'registry-tools must be a JSON array of names'],
    ['registry-icon', 'http://example.com/x.png', 'icons[0].src: must be an https URL'],
    ['registry-version', 'latest', 'version: must not be `latest`'],
    ['registry-url', 'ftp://example.com', 'remotes[0].url: must be an http or https URL'],
    ['registry-category', 'x'.repeat(1000), '_meta: must have at most 1000 bytes'],
  ])('rejects %s %j alone', (name, value, reason) => {
    expect(reasonOf({ annotations: { [name]: value } })).toContain(reason);
  });

  it('takes its version from annotation, image, or neither', () => {
    expect(entryOf({ image: 'ghcr.io/x/fetch:3.1.4' }).version).toBe('3.1.4');
    const annotations = { 'registry-version': '5.0.0' };
    expect(entryOf({ image: 'ghcr.io/x/fetch:3.1.4', annotations }).version).toBe('5.0.0');
    expect(entryOf({ image: 'ghcr.io/x/fetch:latest' }).version).toBe('1.0.0');
  });

  it.each([
    ['x:1.2.3', '1.2.3'],
    ['host:5000/a/x:v1.2.3', 'v1.2.3'],
    ['x:1.2.3-rc.1', '1.2.3-rc.1'],
    [`x:1.2.3@sha256:${'a'.repeat(64)}`, '1.2.3'],
    [`x@sha256:${'1'.repeat(64)}`, undefined],
    ['host:5000/x', undefined],
    ['x:latest', undefined],
    ['x:1.2', undefined],
    ['x:20250101', undefined],
    ['x', undefined],
    [undefined, undefined],
  ])('reads of the image %s the version %s', (image, version) => {
    expect(readImageVersion(image)).toBe(version);
  });

  it('has the times of the resource', () => {
    const metadata = {
      creationTimestamp: '2026-01-01T00:00:00Z',
      managedFields: [{ time: '2026-01-03T00:00:00Z' }, { time: '2026-01-02T00:00:00Z' }, {}],
    };
    const found = translate({
      metadata: { ...metadata, annotations: { [`${PREFIX}/registry-export`]: 'true' } },
    });
    expect(found).toMatchObject({
      entry: { publishedAt: Date.parse('2026-01-01'), updatedAt: Date.parse('2026-01-03') },
    });
  });
});

describe('claims', () => {
  it(`${proves('C-2-43', 'S-2.2-12')} come from the annotation`, () => {
    expect(entryOf({ annotations: { 'authz-claims': '{"org":["acme"]}' } }).claims).toEqual({
      org: ['acme'],
    });
    expect(entryOf({ annotations: { 'authz-claims': ' {} ' } }).claims).toEqual({});
    expect(entryOf({}).claims).toEqual({});
  });

  it.each([
    ['', 'is not JSON'],
    ['org=acme', 'is not JSON'],
    ['null', 'must be a JSON object'],
    ['["acme"]', 'must be a JSON object'],
    ['"acme"', 'must be a JSON object'],
    ['{"org":1}', 'org'],
    ['{"org":null}', 'org'],
    ['{"org":{"a":"b"}}', 'org'],
    ['{"org":[]}', 'empty array'],
    ['{"org":["a",1]}', 'org'],
    ['{"":"a"}', ''],
    ['{"__proto__":"a"}', '__proto__'],
  ])('are refused when the annotation is %j, and the entry with them', (text, reason) => {
    const refused = reasonOf({ annotations: { 'authz-claims': text } });
    expect(refused).toContain(`annotation ${PREFIX}/authz-claims is no claims object: `);
    expect(refused).toContain(reason);
  });
});
