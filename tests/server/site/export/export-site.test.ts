import { beforeAll, describe, expect, it } from 'vitest';
import type { BuiltSite } from '../../../../server/site/built-site.ts';
import { BundleSegment } from '../../../../server/view/bundle-segment.ts';
import { makeFile, makeServer, makeSkill } from '../../../support/make-entry.ts';
import { makeSegment, makeWorld, openEntries } from '../../../support/make-world.ts';
import { exportWorld, makeAudience, openPages } from './export-world.ts';

const ACME = { org: 'acme' };
const GIVEN = Date.parse('2024-05-06T07:08:09Z');

let site: BuiltSite;
beforeAll(async () => {
  site = await openPages();
});

describe('an export', () => {
  it('has a page for every entry and version, lists, an index and what hosts need', async () => {
    const a = await makeSegment(
      'a',
      [
        makeServer('io.x/one', '1.0.0', { tags: ['red'], publishedAt: GIVEN, updatedAt: GIVEN }),
        makeServer('io.x/one', '2.0.0+b/1', { publishedAt: GIVEN, updatedAt: GIVEN }),
        makeServer('io.x/gone', '1.0.0', { status: 'deleted' }),
        makeSkill('tools/pdf', '1.0.0', { files: [makeFile('SKILL.md', '# pdf')] }),
      ],
      ACME,
    );
    const { files, ...counts } = await exportWorld(
      makeWorld({ main: { segments: [a], claims: ACME } }),
      makeAudience(ACME),
      site,
    );
    expect([...files.keys()]).toEqual([
      '.berth-export',
      '.nojekyll',
      '404.html',
      'catalog/main/index.html',
      'catalog/main/search.json',
      'catalog/main/servers/io.x/one/2.0.0~2bb~2f1/index.html',
      'catalog/main/servers/io.x/one/index.html',
      'catalog/main/skills/index.html',
      'catalog/main/skills/tools/pdf/index.html',
      'index.html',
    ]);
    expect(counts).toMatchObject({ registries: 1, entries: 2, pages: 6 });
    const { entries } = JSON.parse(String(files.get('catalog/main/search.json')));
    expect(entries).toEqual([
      expect.objectContaining({
        type: 'server',
        name: 'io.x/one',
        href: 'servers/io.x/one/',
        updatedAt: GIVEN,
      }),
      expect.objectContaining({ type: 'skill', name: 'tools/pdf', href: 'skills/tools/pdf/' }),
    ]);
    expect(String(files.get('catalog/main/servers/io.x/one/index.html'))).toContain('6 May 2024');
    expect(String(files.get('404.html'))).toContain('href="/sub/');
  });

  it('pages through lists of any length', async () => {
    const names = Array.from({ length: 60 }, (_, i) => `io.x/server-${String(i).padStart(2, '0')}`);
    const many = await makeSegment(
      'a',
      names.map((name) => makeServer(name)),
      ACME,
    );
    const { files } = await exportWorld(
      makeWorld({ main: { segments: [many], claims: ACME } }),
      makeAudience(ACME),
      site,
    );
    const pages = [
      'catalog/main/index.html',
      'catalog/main/page/2/index.html',
      'catalog/main/page/3/index.html',
    ];
    expect(
      [...files.keys()].filter((path) => /^catalog\/main\/(?:page\/.*)?index\.html$/.test(path)),
    ).toEqual(pages);
    const listed = pages.map((path) => [
      ...String(files.get(path)).matchAll(/<h3><a href="[^"]*(servers\/[^"]*)"/g),
    ]);
    expect(listed.flat().map(([, href]) => href)).toEqual(names.map((name) => `servers/${name}/`));
    expect(String(files.get(pages[0] ?? ''))).toContain('href="page/2/"');
    expect(String(files.get(pages[1] ?? ''))).toContain('href="../3/"');
    expect(String(files.get(pages[1] ?? ''))).toMatch(/href="..\/..\/"[^>]*>First page/);
  });

  it('tells no date that nobody gave, as it would be that of the build', async () => {
    const bundle = await openEntries(
      [
        makeServer('io.x/dated', '1.0.0', { publishedAt: GIVEN, updatedAt: GIVEN, statusChangedAt: GIVEN }),
        makeServer('io.x/undated'),
      ],
      0,
    );
    const { record } = await makeSegment('a', []);
    const { files } = await exportWorld(
      makeWorld({ main: { segments: [new BundleSegment('a', ACME, bundle, record)], claims: ACME } }),
      makeAudience(ACME),
      site,
    );
    const page = (name: string) => String(files.get(`catalog/main/servers/io.x/${name}/index.html`));
    expect(page('dated')).toContain('6 May 2024');
    expect(page('dated')).toContain('2024-05-06T07:08:09');
    for (const [path, bytes] of files) expect(`${path} ${bytes}`).not.toMatch(/1970|>1 Jan/);
    expect(page('undated')).not.toMatch(/<time|publishedAt|updatedAt|statusChangedAt/);
    expect(page('undated')).toContain('isLatest');
  });
});
