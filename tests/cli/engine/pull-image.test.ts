import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EngineProgress } from '../../../cli/engine/engine.ts';
import { findEngine } from '../../../cli/engine/find-engine.ts';
import { createFindCredentials } from '../../../cli/engine/registry/find-credentials.ts';
import { registryHostOf } from '../../../cli/engine/registry/registry-host.ts';
import { proves } from '../../requirements/proves.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { startFakeEngine } from './fake-engine.ts';

const IMAGE = { Id: 'sha256:abc', RepoDigests: [], Config: { User: '', Labels: null } };

/** An engine that answers a pull with these messages. */
async function openPulling(messages: readonly object[]) {
  const home = makeDirectory();
  const socket = join(home, 'engine.sock');
  const seen: { url: string; auth: string | undefined }[] = [];
  await startFakeEngine(socket, (request, response) => {
    if (request.url === '/_ping') return void response.end('OK');
    if (request.method === 'GET') return void response.end(JSON.stringify(IMAGE));
    const auth = request.headers['x-registry-auth'];
    seen.push({
      url: request.url ?? '',
      auth: typeof auth === 'string' ? Buffer.from(auth, 'base64url').toString() : undefined,
    });
    response.end(messages.map((message) => `${JSON.stringify(message)}\r\n`).join(''));
  });
  return {
    home,
    seen,
    open: () => findEngine({ DOCKER_HOST: `unix://${socket}`, PATH: process.env.PATH }, { home }),
  };
}

describe('pulling an image', () => {
  it(`${proves('K-2-20')} sends the credentials of the user and adds up the layers`, async () => {
    const { home, seen, open } = await openPulling([
      { status: 'Pulling from me/it', id: '1' },
      { status: 'Downloading', id: 'a', progressDetail: { current: 10, total: 100 } },
      { status: 'Downloading', id: 'b', progressDetail: { current: 5, total: 50 } },
      { status: 'Download complete', id: 'a' },
      { status: 'Pull complete', id: 'b' },
    ]);
    mkdirSync(join(home, '.docker'));
    const auth = Buffer.from('ann:s3cret').toString('base64');
    writeFileSync(join(home, '.docker/config.json'), JSON.stringify({ auths: { 'ghcr.io': { auth } } }));
    const progress: EngineProgress[] = [];
    const image = await (await open()).pullImage('ghcr.io/me/it:2', (one) => progress.push(one));
    expect(image.id).toBe('sha256:abc');
    expect(seen).toHaveLength(1);
    expect(seen[0]?.url).toContain('fromImage=ghcr.io%2Fme%2Fit&tag=2');
    expect(JSON.parse(seen[0]?.auth ?? '')).toMatchObject({ username: 'ann', password: 's3cret' });
    expect(seen[0]?.url).not.toContain('s3cret');
    expect(progress.map(({ done, total }) => [done, total])).toEqual([
      [undefined, undefined],
      [10, 100],
      [15, 150],
      [105, 150],
      [150, 150],
    ]);
  });

  it.each([
    ['manifest for x:1 not found: manifest unknown', 'engine_image_not_found', 'Check the name and the tag.'],
    [
      "pull access denied for x, repository does not exist or may require 'docker login'",
      'engine_image_not_found',
      'docker login',
    ],
    ['unauthorized: authentication required', 'engine_pull_failed', 'docker login'],
    ['Get "https://r/v2/": dial tcp: lookup r: no such host', 'engine_pull_failed', 'network'],
  ])('tells failures apart: %s', async (message, code, fix) => {
    const { open } = await openPulling([{ errorDetail: { message }, error: message }]);
    await expect((await open()).pullImage('x:1', () => {})).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
      fix: expect.stringContaining(fix),
    });
  });
});

describe('credentials of a registry', () => {
  it(`${proves('K-2-20')} come from the helper named for it, the helper of all, or the file`, async () => {
    const home = makeDirectory();
    const helper = (name: string, answer: object): void => {
      const file = join(home, `docker-credential-${name}`);
      writeFileSync(
        file,
        `#!/bin/sh\nread server\n[ "$server" != none.example ] || exit 1\necho '${JSON.stringify(answer)}'\n`,
      );
      chmodSync(file, 0o755);
    };
    helper('one', { Username: 'bob', Secret: 'pw' });
    helper('all', { Username: '<token>', Secret: 'tok' });
    mkdirSync(join(home, '.docker'));
    writeFileSync(
      join(home, '.docker/config.json'),
      JSON.stringify({
        credsStore: 'all',
        credHelpers: { 'one.example': 'one' },
        auths: { 'none.example': { auth: Buffer.from('c:d:e').toString('base64') } },
      }),
    );
    const find = createFindCredentials({ PATH: `${home}:${process.env.PATH}` }, home);
    expect(await find('one.example')).toEqual({
      username: 'bob',
      password: 'pw',
      serveraddress: 'one.example',
    });
    expect(await find('docker.io')).toEqual({
      identitytoken: 'tok',
      serveraddress: 'https://index.docker.io/v1/',
    });
    expect(await find('none.example')).toEqual({
      username: 'c',
      password: 'd:e',
      serveraddress: 'none.example',
    });
    expect(await createFindCredentials({}, join(home, 'nobody'))('docker.io')).toBeUndefined();
  });

  it.each([
    ['alpine', 'docker.io'],
    ['me/it:1', 'docker.io'],
    ['index.docker.io/me/it', 'docker.io'],
    ['ghcr.io/me/it@sha256:0', 'ghcr.io'],
    ['localhost/it', 'localhost'],
    ['registry:5000/it', 'registry:5000'],
  ])('belong to the host of %s', (reference, host) => {
    expect(registryHostOf(reference)).toBe(host);
  });
});
