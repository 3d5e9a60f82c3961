import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readJsonLines } from '../../support/start-service.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type AdministeredService, type Persona, startAdministeredService } from './administered-service.ts';

let service: AdministeredService;
beforeAll(async () => {
  service = await startAdministeredService();
});
afterAll(() => service.close());

const PAGES = [
  '/admin',
  '/admin/sources',
  '/admin/sources/tools',
  '/admin/sources/tools/entries',
  '/admin/registries',
  '/admin/registries/company',
  '/admin/registries/company/entries',
  '/admin/publish',
  '/admin/entries',
  '/admin/access',
];

const OPEN: Readonly<Record<Persona, readonly string[]>> = {
  chief: PAGES,
  operator: ['/admin', '/admin/sources', '/admin/sources/tools', '/admin/sources/tools/entries'],
  curator: ['/admin', '/admin/registries', '/admin/registries/company', '/admin/registries/company/entries'],
  publisher: ['/admin', '/admin/publish', '/admin/entries'],
  dataPublisher: ['/admin', '/admin/publish', '/admin/entries'],
  reader: [],
  stranger: [],
};

describe('a page for administrators', () => {
  for (const [persona, open] of Object.entries(OPEN) as [Persona, readonly string[]][]) {
    it(`is shown to ${persona} where the API answers, and refused in words elsewhere`, async () => {
      const visitor = service.visitor(persona);
      for (const path of PAGES) {
        const page = await visitor.get(path);
        const refusal = persona === 'stranger' ? 401 : 403;
        expect([path, page.status]).toEqual([path, open.includes(path) ? 200 : refusal]);
        expect(page.headers.get('content-type')).toMatch(/^text\/html/);
        if (page.status === 403) expect(page.text).toContain('This is for administrators');
        if (page.status === 401) expect(page.text).toContain('Sign in to see this');
        if (page.status !== 200) expect(page.text).not.toMatch(/tools|company/);
      }
    });
  }

  it('leaves no denial in the audit log where it asks the API nothing it would refuse', async () => {
    const started = new Date().toISOString();
    for (const path of ['/admin', '/admin/publish', '/admin/entries'])
      await service.visitor('publisher').get(path);
    for (const path of ['/admin', '/admin/publish']) await service.visitor('reader').get(path);
    await service.visitor('operator').get('/admin/sources/tools');
    const told = await waitUntil(() => {
      const lines = readJsonLines(service.auditFile).filter(({ logged_at: at }) => at >= started);
      return lines.some(({ type }) => type === 'source.read') && lines;
    }, 'the audit of the page of a source');
    expect(told.filter(({ outcome }) => outcome === 'denied')).toEqual([]);
    expect(told.find(({ type }) => type === 'source.read')).toMatchObject({
      subjects: { sub: 'operator' },
      target: { resource_name: 'tools' },
    });
  });

  it('leads nobody to pages that would be refused', async () => {
    for (const persona of ['chief', 'operator', 'curator', 'publisher'] as const) {
      const visitor = service.visitor(persona);
      const { html } = await visitor.get('/admin');
      const links = new Set([...html.matchAll(/href="(\/admin[^"]*)"/g)].map(([, href = '']) => href));
      expect(links.size).toBeGreaterThan(1);
      for (const href of links) expect([href, (await visitor.get(href)).status]).toEqual([href, 200]);
    }
  });
});

describe('the overview', () => {
  it('tells the roles, and of each source its kind, state and what was rejected', async () => {
    const { text } = await service.visitor('operator').get('/admin');
    expect(text).toContain('Your roles manageSources');
    expect(text).toMatch(/tools file complete 2 0 1 \d+ \w+ \d{4}, \d\d:\d\d UTC/);
    expect(text).toMatch(/published managed complete 0 0 0 published here/);
  });

  it('keeps sources and registries of other teams to who may see them', async () => {
    const operator = await service.visitor('operator').get('/admin');
    const curator = await service.visitor('curator').get('/admin');
    expect(operator.html).not.toMatch(/vault|data-tools/);
    expect(curator.html).not.toContain('guarded');
    expect(curator.text).toContain(
      'company For everybody at Acme. tools, published, data-tools, vault org acme',
    );
    const chief = await service.visitor('chief').get('/admin');
    expect(chief.text).toContain('vault');
    expect(chief.text).toContain('guarded');
  });

  it('says only what it knows for a notice in the address', async () => {
    const visitor = service.visitor('chief');
    expect((await visitor.get('/admin?notice=version-deleted')).text).toContain('is deleted for good');
    expect((await visitor.get('/admin?notice=call-this-number')).text).not.toContain('call');
    expect((await visitor.get('/admin?notice=toString')).html).not.toContain('native code');
  });
});

describe('a source or registry out of sight', () => {
  it.each([
    ['operator', '/admin/sources/vault'],
    ['operator', '/admin/sources/vault/entries'],
    ['curator', '/admin/registries/guarded'],
    ['curator', '/admin/registries/guarded/entries'],
  ] as const)('is to %s at %s what one that does not exist is', async (persona, path) => {
    const page = await service.visitor(persona).get(path);
    const none = await service.visitor(persona).get(path.replace(/vault|guarded/, 'nothing'));
    expect(page.status).toBe(404);
    expect(page.text).toBe(none.text);
    expect(page.html).not.toContain('security');
  });
});
