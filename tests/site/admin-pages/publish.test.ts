import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdministeredService, server, startAdministeredService } from './administered-service.ts';

let service: AdministeredService;
beforeAll(async () => {
  service = await startAdministeredService();
});
afterAll(() => service.close());

const PATH = '/admin/publish';
const form = (entry: string, more: Record<string, string> = {}) => ({
  action: 'publish',
  type: 'server',
  entry,
  claims: 'org=acme\nteam=platform',
  source: 'published',
  ...more,
});
const json = (...given: Parameters<typeof server>) => JSON.stringify(server(...given), null, 2);
const stored = (path: string) => service.call('publisher', 'GET', `/v1/entries/${path}`);

describe('the form to publish', () => {
  it('publishes a pasted server.json, and opens the page of the version', async () => {
    const page = await service.visitor('publisher').send(PATH, form(json('io.acme/pasted')));
    expect(page.text).toContain('Published. It is live');
    expect(page.text).toContain('io.acme/pasted');
    expect(page.html).toContain('href="/catalog/company/servers/io.acme/pasted');
    const claims = await stored('server/io.acme%2Fpasted/claims');
    expect(claims.json).toEqual({ claims: { org: 'acme', team: 'platform' } });
    const seen = await service.call(
      'reader',
      'GET',
      '/registry/company/v0.1/servers/io.acme%2Fpasted/versions',
    );
    expect(seen.status).toBe(200);
  });

  it('takes an uploaded file instead of the text, in YAML too', async () => {
    const yaml = 'name: io.acme/uploaded\ndescription: From a file.\nversion: 2.0.0\n';
    const file = new File([yaml], 'server.yaml', { type: 'application/yaml' });
    const page = await service.visitor('publisher').send(PATH, { ...form('not this'), file } as never);
    expect(page.text).toContain('From a file.');
    const empty = new File([], '', { type: 'application/octet-stream' });
    const second = await service
      .visitor('publisher')
      .send(PATH, { ...form(json('io.acme/typed')), file: empty } as never);
    expect(second.text).toContain('io.acme/typed');
  });

  it('publishes a skill object and a SKILL.md that names its namespace', async () => {
    const skill = { namespace: 'io.acme', name: 'reviews', description: 'Reviews.', version: '1.0.0' };
    const visitor = service.visitor('publisher');
    const page = await visitor.send(PATH, form(JSON.stringify(skill), { type: 'skill' }));
    expect(page.text).toContain('io.acme/reviews');
    const text =
      '---\nname: notes\ndescription: Takes notes.\nmetadata:\n  namespace: io.acme\n---\n# Notes\n';
    const markdown = await visitor.send(PATH, form(text, { type: 'skill' }));
    expect(markdown.text).toContain('Takes notes.');
    const homeless = await visitor.post(PATH, form(text.replace(/metadata:\n.*\n/, ''), { type: 'skill' }));
    expect([homeless.status, homeless.text.includes('names no namespace')]).toEqual([400, true]);
  });

  it('shows what is wrong with the entry beside it, with its line, and keeps what was typed', async () => {
    const wrong =
      '{\n  "name": "io.acme/wrong",\n  "version": "1.0.0",\n  "packages": [\n    {"registryType": "npm"}\n  ]\n}';
    const page = await service.visitor('publisher').post(PATH, form(wrong));
    expect(page.status).toBe(400);
    expect(page.text).toContain('Nothing was published.');
    expect(page.text).toContain('description is missing');
    expect(page.text).toContain('packages[0].transport is missing (line 5) {"registryType": "npm"}');
    expect(page.text).toContain(wrong.replace(/\s+/g, ' '));
    expect(page.text).toContain('org=acme team=platform');
    expect(page.html).toMatch(/<input[^>]*name="source"[^>]*value="published"/);
    expect((await stored('server/io.acme%2Fwrong/claims')).status).toBe(404);
  });

  it.each([
    ['text that is no document', form('{"name": "io.acme/x",\n "version" 1}'), 'from line 2, column 12 on'],
    ['nothing', form('   '), 'There is nothing here to publish.'],
    ['a list', form('[]'), 'must be an object'],
    ['no claims', form(json('io.acme/x'), { claims: '' }), 'A published entry needs claims'],
    ['claims without a key', form(json('io.acme/x'), { claims: 'org=acme\n=x' }), 'Line 2 has no key'],
    ['broken JSON claims', form(json('io.acme/x'), { claims: '{"org"}' }), 'This is no JSON object.'],
    ['an empty list', form(json('io.acme/x'), { claims: '{"org": []}' }), 'claims.org must be'],
    ['no source of several', form(json('io.acme/x'), { source: '' }), 'Add ?source= with one of: published.'],
    ['an unknown source', form(json('io.acme/x'), { source: 'nowhere' }), 'There is no managed source'],
  ])('refuses %s with 400', async (_, fields, message) => {
    const page = await service.visitor('publisher').post(PATH, fields);
    expect([page.status, page.text.includes(message)]).toEqual([400, true]);
  });

  it('refuses claims and sources of others with the words of the API', async () => {
    const visitor = service.visitor('publisher');
    const claims = await visitor.post(PATH, form(json('io.acme/x'), { claims: 'org=acme\nteam=data' }));
    expect([claims.status, claims.text.includes('You may only set claims')]).toEqual([403, true]);
    const source = await visitor.post(PATH, form(json('io.acme/x'), { source: 'data-tools' }));
    expect([source.status, source.text.includes('do not allow publishing')]).toEqual([403, true]);
    expect((await visitor.get(PATH)).html).not.toContain('data-tools');
  });

  it('is harmless when it is sent twice', async () => {
    const visitor = service.visitor('publisher');
    const [one, other] = await Promise.all([
      visitor.post(PATH, form(json('io.acme/twice'))),
      visitor.post(PATH, form(json('io.acme/twice'))),
    ]);
    expect([one.status, other.status].sort()).toEqual([303, 409]);
    const { json: listed } = await service.call(
      'reader',
      'GET',
      '/registry/company/v0.1/servers/io.acme%2Ftwice/versions',
    );
    expect(listed.metadata.count).toBe(1);
  });

  it('refuses other claims for a later version, and takes the same', async () => {
    const visitor = service.visitor('publisher');
    await visitor.send(PATH, form(json('io.acme/grows')));
    const other = await visitor.post(PATH, form(json('io.acme/grows', '1.1.0'), { claims: 'org=acme' }));
    expect([other.status, /id="claims-errors"/.test(other.html)]).toEqual([409, true]);
    const page = await visitor.send(
      PATH,
      form(json('io.acme/grows', '1.1.0'), { claims: '{"team":["platform"],"org":"acme"}' }),
    );
    expect(page.text).toContain('1.1.0');
  });

  it('publishes nothing for whoever lacks the role, and keeps what they typed', async () => {
    for (const [persona, status] of [
      ['reader', 403],
      ['stranger', 401],
    ] as const) {
      const page = await service.visitor(persona).post(PATH, form(json('io.acme/refused')));
      expect(page.status).toBe(status);
      expect(page.html).toContain('io.acme/refused');
    }
    expect((await stored('server/io.acme%2Frefused/claims')).status).toBe(404);
  });

  it('shows what was typed as text, whatever it is', async () => {
    const hostile = '</textarea><script>alert(1)</script>';
    const page = await service
      .visitor('publisher')
      .post(PATH, form(hostile, { claims: hostile, source: '"><script>alert(2)</script>' }));
    expect(page.status).toBe(400);
    expect(page.markup).not.toContain('<script>alert');
    expect(page.text).toContain('alert(1)');
  });

  it('offers super-admins the managed sources to choose from', async () => {
    const page = await service.visitor('chief').get(`${PATH}?source=published`);
    expect(page.html).toMatch(/<option value="published" selected[^>]*>/);
    expect(page.html).toContain('<option value="data-tools">');
    expect(page.html).not.toContain('<option value="tools">');
  });
});
