import { describe, expect, it } from 'vitest';
import { readAudience } from '../../../../server/site/export/audience.ts';
import { configSchema } from '../../../../sources/config/schema.ts';

const OAUTH = {
  resourceUrl: 'https://mcp.example.com',
  providers: [{ name: 'p', issuerUrl: 'https://login.example.com', audience: 'a' }],
};
const AUTHZ = { roles: { superAdmin: [{ org: 'acme' }] } };

function read(auth: object, site: object = {}) {
  const source = { name: 'a', file: { data: { servers: [] } }, syncPolicy: { interval: '1h' } };
  return readAudience(
    configSchema.parse({ sources: [source], registries: [{ name: 'main', sources: ['a'] }], auth, site }),
  );
}

describe('the audience of an export', () => {
  it('is everybody in anonymous mode, whatever audience is named', () => {
    const { identity, mayAsk } = read({ mode: 'anonymous' }, { audience: { org: 'acme' } });
    expect(identity.unrestricted).toBe(true);
    expect(mayAsk('main')).toBe(true);
  });

  it('holds exactly its claims under authz, and no role they would give to a token', () => {
    const { identity, mayAsk } = read(
      { mode: 'oauth', oauth: OAUTH, authz: AUTHZ },
      { audience: { org: 'acme', team: ['a', 'b'] } },
    );
    expect(identity).toMatchObject({ unrestricted: false, superAdmin: false, roles: [] });
    expect(Object.fromEntries(identity.held)).toEqual({ org: ['acme'], team: ['a', 'b'] });
    expect(mayAsk('main')).toBe(true);
  });

  it('sees as much as any token in auth-only mode, where claims filter nothing', () => {
    expect(read({ mode: 'oauth', oauth: OAUTH }, { audience: { org: 'acme' } }).identity.unrestricted).toBe(
      true,
    );
  });

  it.each([
    { publicPaths: [], asked: [] },
    { publicPaths: ['/registry/main'], asked: ['main'] },
    { publicPaths: ['/registry/main/v0.1'], asked: ['main'] },
    { publicPaths: ['/registry/main/v0.1/servers'], asked: [] },
    { publicPaths: ['/registry/m', '/docs'], asked: [] },
    { publicPaths: ['/registry'], asked: ['main', 'other'] },
  ])('is who comes without a token when none is named: of $publicPaths public, $asked', ({
    publicPaths,
    asked,
  }) => {
    for (const auth of [
      { mode: 'oauth', publicPaths, oauth: OAUTH },
      { mode: 'oauth', oauth: { ...OAUTH, publicPaths } },
    ]) {
      const { identity, mayAsk } = read(auth);
      expect(['main', 'other'].filter(mayAsk)).toEqual(asked);
      expect(identity).toMatchObject({ unrestricted: true, anonymous: true, roles: [] });
      expect(read({ ...auth, authz: AUTHZ }).identity).toMatchObject({ unrestricted: false, roles: [] });
    }
  });
});
