import { createHmac } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { makeRepository, type TestRepository } from '../sources/kinds/git-repository.ts';
import { inlineSource, makeCatalog } from '../support/catalogs.ts';
import { type Service, startService } from '../support/start-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const SECRET = 'secret shared with the git server';
const PUSH = JSON.stringify({ ref: 'refs/heads/released', after: 'c0ffee' });
let service: Service;
let repository: TestRepository;

const sign = (body: string, secret = SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const deliver = (headers: Record<string, string>, source = 'team', body = PUSH) =>
  service.ask(`/hooks/git/${source}`, { method: 'POST', headers, body });

async function listVersions(): Promise<string[]> {
  const { json } = await service.ask('/registry/tools/v0.1/servers?limit=100');
  return json.servers.map(
    ({ server }: { server: { name: string; version: string } }) => `${server.name}@${server.version}`,
  );
}
const push = (...names: string[]) => repository.commit({ 'catalogs/team.json': makeCatalog(names) });
const countSyncs = async (): Promise<number> => {
  const { text } = await service.probe('/metrics');
  return [...text.matchAll(/registry_sync_duration_seconds_count\{source="team",outcome="\w+"\} (\d+)/g)]
    .map(([, count]) => Number(count))
    .reduce((sum, count) => sum + count, 0);
};

beforeAll(async () => {
  service = await startService(
    {
      sources: [
        {
          name: 'team',
          git: { repository: './repository', branch: 'released', path: 'catalogs/team.json' },
          syncPolicy: { interval: '1h' },
          claims: { org: 'acme' },
        },
        inlineSource('other', ['com.acme/other']),
        { name: 'published', managed: {} },
      ],
      registries: [{ name: 'tools', sources: ['team'] }],
      hooks: { secretFile: 'hook-secret' },
      auth: { mode: 'anonymous' },
    },
    {
      prepare: (dir) => {
        writeFileSync(join(dir, 'hook-secret'), `${SECRET}\n`);
        mkdirSync(join(dir, 'repository'));
        repository = makeRepository(join(dir, 'repository'));
        repository.git('checkout', '--quiet', '-b', 'released');
        writeFileSync(join(dir, 'repository', 'registry.json'), makeCatalog(['com.acme/wrong-path']));
        repository.git('add', '--all');
        repository.git('commit', '--quiet', '--message=other file');
      },
      untilReady: false,
    },
  );
  await push('com.acme/first');
  await service.ask('/v1/sources/team/sync', { method: 'POST' });
  await waitUntil(async () => (await listVersions()).includes('com.acme/first@1.0.0'), 'the first commit');
});
afterAll(() => service?.stop());

describe('a git source', () => {
  it(`${proves('S-1-02', 'S-2.2-02', 'S-2.2-03', 'S-2.2-04', 'S-2.2-09')} serves the catalog at its path on its branch, with the claims of the source`, async () => {
    expect(await listVersions()).toEqual(['com.acme/first@1.0.0']);
    const { json } = await service.ask('/v1/sources/team/entries');
    expect(json.entries).toMatchObject([{ name: 'com.acme/first', claims: { org: 'acme' } }]);
    repository.git('checkout', '--quiet', '-b', 'elsewhere');
    await push('com.acme/unreleased');
    const syncs = await countSyncs();
    await service.ask('/v1/sources/team/sync', { method: 'POST' });
    await waitUntil(async () => (await countSyncs()) > syncs, 'another fetch');
    repository.git('checkout', '--quiet', 'released');
    const source = await service.ask('/v1/sources/team');
    expect(source.json.status.bundle.origin.commit).toBe(repository.git('rev-parse', 'released'));
    expect(await listVersions()).toEqual(['com.acme/first@1.0.0']);
  });
});

describe('a push told by the git server', () => {
  it.each([
    ['GitHub', { 'X-GitHub-Event': 'push', 'X-GitHub-Delivery': 'g-1', 'X-Hub-Signature-256': sign(PUSH) }],
    ['Gitea', { 'X-Gitea-Event': 'push', 'X-Gitea-Delivery': 'gitea-1', 'X-Hub-Signature-256': sign(PUSH) }],
    ['GitLab', { 'X-Gitlab-Event': 'Push Hook', 'X-Gitlab-Event-UUID': 'gl-1', 'X-Gitlab-Token': SECRET }],
  ])(`${proves('C-2-58', 'C-2-59', 'C-2-60', 'C-2-61', 'C-2-65', 'C-12.14-02')} of %s is live at once, and a repeated delivery is not fetched again`, async (name, headers) => {
    const server = `com.acme/${name.toLowerCase()}`;
    await push('com.acme/first', server);
    const accepted = await deliver(headers);
    expect([accepted.status, accepted.json.status]).toEqual([202, 'accepted']);
    await waitUntil(async () => (await listVersions()).includes(`${server}@1.0.0`), 'the push');
    const syncs = await countSyncs();
    await push('com.acme/first', `${server}-again`);
    const repeated = await deliver(headers);
    expect([repeated.status, repeated.json.status]).toEqual([202, 'duplicate']);
    const marker = await deliver({
      'X-GitHub-Delivery': `marker-${name}`,
      'X-Hub-Signature-256': sign(PUSH),
    });
    expect(marker.json.status).toBe('accepted');
    await waitUntil(async () => (await listVersions()).includes(`${server}-again@1.0.0`), 'the marker');
    expect(await countSyncs()).toBe(syncs + 1);
  });

  it.each([
    ['no signature', {}],
    ['the signature of another secret', { 'X-Hub-Signature-256': sign(PUSH, 'guessed') }],
    ['the signature of another body', { 'X-Hub-Signature-256': sign(`${PUSH} `) }],
    ['an older kind of signature', { 'X-Hub-Signature': 'sha1=00' }],
    ['a short signature', { 'X-Hub-Signature-256': sign(PUSH).slice(0, 40) }],
    ['another GitLab token', { 'X-Gitlab-Token': 'guessed' }],
    ['the beginning of the GitLab token', { 'X-Gitlab-Token': SECRET.slice(0, -1) }],
  ])(`${proves('C-2-62')} is 401 with %s, for sources that exist and that do not`, async (_, headers) => {
    for (const source of ['team', 'unknown', 'published']) {
      const refused = await deliver(headers, source);
      expect([refused.status, refused.json.code]).toEqual([401, 'hook_signature_invalid']);
    }
  });

  it(`${proves('C-2-63')} is 404 for a source that does not exist`, async () => {
    expect((await deliver({ 'X-Hub-Signature-256': sign(PUSH) }, 'unknown')).status).toBe(404);
    expect((await deliver({ 'X-Hub-Signature-256': sign(PUSH) }, 'published')).status).toBe(409);
  });
});

it(`${proves('C-2-58')} without hooks there is nothing at their path`, async () => {
  const bare = await startService({
    sources: [inlineSource('team', ['com.acme/one'])],
    registries: [{ name: 'tools', sources: ['team'] }],
    auth: { mode: 'anonymous' },
  });
  try {
    const headers = { 'X-Hub-Signature-256': sign(PUSH) };
    expect((await bare.ask('/hooks/git/team', { method: 'POST', headers, body: PUSH })).status).toBe(404);
  } finally {
    await bare.stop();
  }
});
