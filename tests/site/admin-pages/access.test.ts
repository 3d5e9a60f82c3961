import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdministeredService, server, startAdministeredService } from './administered-service.ts';

let service: AdministeredService;
beforeAll(async () => {
  service = await startAdministeredService();
  const body = { server: server('io.acme/weather', '9.0.0'), claims: { org: 'acme', team: ['platform'] } };
  await service.call('publisher', 'POST', '/v1/entries?source=published', body);
});
afterAll(() => service.close());

const open = (query: Record<string, string>, persona: 'chief' | 'operator' | 'reader' = 'chief') =>
  service.visitor(persona).get(`/admin/access?${new URLSearchParams(query)}`);
const WEATHER = { registry: 'company', type: 'server', name: 'io.acme/weather' };

describe('the access view', () => {
  it('tells what is wanted at the gate and of each copy, in the order of the sources', async () => {
    const { text } = await open(WEATHER);
    expect(text).toContain(
      'Gate of the registry company org acme 1. Source tools org acme 2. Source published org acme team platform 3. Source data-tools Does not have it. 4. Source vault Does not have it.',
    );
    expect(text).toContain('Callers with the role superAdmin pass every step.');
  });

  it.each([
    ['org=acme', 'Visible : decided by entry claims, served from tools.', 'team platform nothing no'],
    ['{"org": "contoso"}', 'Not visible : decided by registry gate.', 'org acme contoso no'],
    ['{}', 'Not visible : decided by registry gate.', 'org acme nothing no'],
    ['org=acme\nteam=data\nteam=platform', 'served from tools.', 'the copies of published are not shown'],
    ['job=chief', 'Visible : decided by super-admin, served from tools.', 'Not checked for this caller.'],
  ])('tries a caller with %s', async (claims, verdict, step) => {
    const { text } = await open({ ...WEATHER, claims });
    expect(text).toContain(verdict);
    expect(text).toContain(step);
  });

  it('says what an entry without claims of its own source means, and of one nobody has', async () => {
    await service.call('chief', 'PUT', '/v1/entries/server/io.acme%2Fweather/claims?source=published', {
      claims: {},
    });
    expect((await open(WEATHER)).text).toContain('2. Source published None: only super-admins pass.');
    const nothing = await open({ ...WEATHER, name: 'io.acme/nothing' });
    expect(nothing.text).toContain('No source of company has an entry of this name');
  });

  it('answers wrong questions with what is wrong', async () => {
    const registry = await open({ ...WEATHER, registry: 'nowhere' });
    expect([registry.status, registry.text.includes('There is no registry nowhere')]).toEqual([404, true]);
    const name = await open({ ...WEATHER, name: 'weather' });
    expect([name.status, name.text.includes('names no entry')]).toEqual([400, true]);
    const claims = await open({ ...WEATHER, claims: '=acme' });
    expect(claims.text).toContain('Line 1 has no key');
    const hostile = await open({ ...WEATHER, name: '"><script>alert(1)</script>/x' });
    expect(hostile.markup).not.toContain('<script>alert');
  });

  it('is for super-admins, as the API says', async () => {
    for (const persona of ['operator', 'reader'] as const) {
      const page = await open(WEATHER, persona);
      expect(page.status).toBe(403);
      expect(page.text).toContain('superAdmin');
      expect(page.html).not.toContain('Source published');
    }
  });
});
