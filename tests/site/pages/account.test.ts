import { describe, expect, it } from 'vitest';
import { openPage, SIGNED_IN, STRANGER } from './open-page.ts';

describe('the account page', () => {
  it('shows claims, roles and the end of the session, and signs out with the token of forms', async () => {
    const { text, elements } = await openPage('/account');
    for (const shown of [
      'Viewing as Rosa',
      'rosa',
      'superAdmin',
      'team',
      'data, platform',
      '3 Mar 2026, 15:00 UTC',
    ])
      expect(text).toContain(shown);
    const form = elements.find(({ name }) => name === 'form');
    expect(form?.attributes).toMatchObject({ method: 'post', action: '/sign-out' });
    const csrf = elements.find(({ attributes }) => attributes.name === 'csrf');
    expect(csrf?.attributes).toMatchObject({ type: 'hidden', value: SIGNED_IN.csrf });
  });

  it('leads strangers to sign in, and says where nobody has to', async () => {
    const stranger = await openPage('/account', { viewer: STRANGER });
    expect(stranger.elements.some(({ attributes }) => attributes.href === '/sign-in?return=%2Faccount')).toBe(
      true,
    );
    const open = await openPage('/account', { viewer: { ...STRANGER, kind: 'open', canSignIn: false } });
    expect(open.text).toContain('everybody who reaches it sees every entry');
    expect(open.elements.some(({ name }) => name === 'form')).toBe(false);
  });

  it('offers administration to who has a role', async () => {
    const isOffered = async (viewer: typeof SIGNED_IN) =>
      (await openPage('/', { viewer })).elements.some(({ attributes }) => attributes.href === '/admin');
    expect(await isOffered(SIGNED_IN)).toBe(true);
    expect(await isOffered({ ...SIGNED_IN, roles: [] })).toBe(false);
    expect(await isOffered({ ...SIGNED_IN, kind: 'export' })).toBe(false);
  });
});
