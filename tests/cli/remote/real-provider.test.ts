import { expect, it, onTestFinished } from 'vitest';
import { openGrantStore } from '../../../cli/remote/grant.ts';
import { createGrantKeeper } from '../../../cli/remote/grant-keeper.ts';
import { prepareRemoteLogin } from '../../../cli/remote/prepare-remote-login.ts';
import { proves } from '../../requirements/proves.ts';
import { startAuthorizationProvider } from '../../support/start-authorization-provider.ts';
import { browse } from './authorization-server.ts';
import { startProtectedRemote } from './protected-remote.ts';
import { memorySecrets, planRemote } from './remote-plan.ts';

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

it(`${proves('R-1-15', 'R-1-16', 'K-6-05', 'K-6-06')} logs in at a real authorization server by registration, PKCE and resource, and renews with rotation`, async () => {
  const provider = await startAuthorizationProvider();
  onTestFinished(() => provider.close());
  const remote = await startProtectedRemote({
    issuer: provider.url,
    place: '/.well-known/oauth-protected-resource/mcp',
    scopes: ['mcp:read'],
    accepts: (token) => token !== '' && claimsOf(token).aud === 'berth-e2e',
  });
  const secrets = memorySecrets();
  let links = 0;
  const login = () =>
    prepareRemoteLogin(planRemote(remote.url, { skipBrowser: true }), {
      secrets,
      isTerminal: false,
      clientMetadataUrl: undefined,
      showLink: (url) => {
        links += 1;
        void browse(url);
      },
    });
  await login();
  expect(provider.asked).toContain('POST /reg');
  const store = openGrantStore(secrets, 'berth.far.remote-grant');
  const grant = await store.load();
  if (grant === undefined) throw new Error('nothing was kept');
  expect(claimsOf(grant.accessToken)).toMatchObject({ sub: 'alice', scope: 'mcp:read' });
  expect(grant.resource).toBe(remote.url);

  const keeper = createGrantKeeper(grant, { store, fetch, now: Date.now, log: () => {} });
  const renewed = await keeper.renew();
  expect(claimsOf(renewed)).toMatchObject({ sub: 'alice', aud: 'berth-e2e' });
  const rotated = (await store.load())?.refreshToken;
  expect(rotated).not.toBe(grant.refreshToken);
  await keeper.renew();
  await login();
  expect(links).toBe(1);

  // A refresh token that was used before ends the grant there, and a person is asked.
  const old = createGrantKeeper(grant, {
    store: { ...store, load: async () => grant },
    fetch,
    now: Date.now,
    log: () => {},
  });
  await expect(old.renew()).rejects.toMatchObject({ code: 'remote_auth_lost' });
});
