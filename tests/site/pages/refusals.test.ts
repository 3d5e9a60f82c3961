import { describe, expect, it } from 'vitest';
import { refuseAll } from './fake-catalog.ts';
import { openPage, STRANGER } from './open-page.ts';

const LIST = '/catalog/company?q=notes';
const ENTRY = '/catalog/company/servers/io.acme/notes';

describe('a page that cannot be shown', () => {
  it.each([400, 401, 403, 404] as const)('answers %i and says why', async (status) => {
    for (const path of ['/', LIST, ENTRY, '/catalog/company/skills/io.acme/notes']) {
      const page = await openPage(path, { catalog: refuseAll(status) });
      expect(page.status).toBe(status);
      expect(page.text).toContain('Because of the test.');
      expect(page.text).not.toContain('Notes');
    }
  });

  it('leads a stranger to sign in and back again', async () => {
    const refused = { catalog: refuseAll(401), viewer: STRANGER };
    const signIns = async (path: string) =>
      (await openPage(path, refused)).elements
        .filter(({ name, text }) => name === 'a' && text === 'Sign in')
        .map(({ attributes }) => attributes.href);
    const back = `/sign-in?return=${encodeURIComponent(LIST)}`;
    expect(await signIns(LIST)).toEqual([back, back]);
    expect(await signIns('/')).toEqual(['/sign-in?return=%2F', '/sign-in?return=%2F']);
  });

  it('tells a stranger of tokens where nobody can sign in', async () => {
    const viewer = { ...STRANGER, canSignIn: false };
    const page = await openPage(LIST, { catalog: refuseAll(401), viewer });
    expect(page.elements.filter(({ attributes }) => attributes.href?.startsWith('/sign-in'))).toEqual([]);
    expect(page.text).toContain('access token');
  });

  it('takes status and words from what was in the way before', async () => {
    const problem = { status: 405, code: 'method_not_allowed', detail: 'Not this method.' };
    const page = await openPage('/site-problem', { problem });
    expect([page.status, page.text.includes('Not this method.')]).toEqual([405, true]);
    expect((await openPage('/site-problem')).status).toBe(404);
    expect((await openPage('/no/such/page')).status).toBe(404);
  });

  it('tells the log of what broke, and the reader under which name', async () => {
    const failures: unknown[] = [];
    const broken = new Error('secret detail');
    const listRegistries = () => {
      throw broken;
    };
    const page = await openPage('/', {
      catalog: { ...refuseAll(404), listRegistries },
      reportFailure: (error) => failures.push(error),
    });
    expect([page.status, failures]).toEqual([500, [broken]]);
    expect(page.text).toContain('request-1');
    expect(page.html).not.toContain('secret detail');
  });
});
