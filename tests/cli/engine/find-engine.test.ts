import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findEngine } from '../../../cli/engine/find-engine.ts';
import { proves } from '../../requirements/proves.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { startFakeEngine } from './fake-engine.ts';

/** A home and a root in which no engine is. */
function makePlaces() {
  const base = makeDirectory();
  return { home: join(base, 'home'), root: join(base, 'root'), runtime: join(base, 'user') };
}

function writeContext(config: string, name: string, host: string): void {
  const id = createHash('sha256').update(name).digest('hex');
  const file = join(config, 'contexts', 'meta', id, 'meta.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ Name: name, Endpoints: { docker: { Host: host } } }));
}

describe('finding the engine', () => {
  it(`${proves('K-3-21')} takes the one DOCKER_HOST names, on a socket or over TCP`, async () => {
    const places = makePlaces();
    await startFakeEngine(join(places.root, 'var/run/docker.sock'));
    await startFakeEngine(join(places.home, 'mine.sock'));
    const socket = `unix://${places.home}/mine.sock`;
    expect((await findEngine({ DOCKER_HOST: socket }, places)).address).toBe(socket);
    const server = createServer((client) => client.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nOK'));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const url = `tcp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    expect((await findEngine({ DOCKER_HOST: url }, places)).address).toBe(url);
  });

  it(`${proves('K-3-22')} looks nowhere else when DOCKER_HOST is set, and says which socket it tried`, async () => {
    const places = makePlaces();
    await startFakeEngine(join(places.root, 'var/run/docker.sock'));
    await expect(findEngine({ DOCKER_HOST: 'unix:///nowhere/a.sock' }, places)).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: 'No container engine answers. Tried unix:///nowhere/a.sock (DOCKER_HOST): no such socket.',
    });
    await expect(findEngine({ DOCKER_HOST: 'ssh://me@host' }, places)).rejects.toThrow(
      'ssh://me@host (DOCKER_HOST): is not of a form Berth can use',
    );
  });

  it(`${proves('K-3-21')} takes the docker context of DOCKER_CONTEXT or of the configuration`, async () => {
    const places = makePlaces();
    await startFakeEngine(join(places.root, 'var/run/docker.sock'));
    await startFakeEngine(join(places.home, 'work.sock'));
    const work = `unix://${places.home}/work.sock`;
    const config = join(places.home, '.docker');
    writeContext(config, 'work', work);
    expect((await findEngine({ DOCKER_CONTEXT: 'work' }, places)).address).toBe(work);
    writeFileSync(join(config, 'config.json'), JSON.stringify({ currentContext: 'work' }));
    expect((await findEngine({}, places)).address).toBe(work);
    expect((await findEngine({ DOCKER_CONTEXT: 'default' }, places)).address).toBe(
      `unix://${places.root}/var/run/docker.sock`,
    );
    const other = join(places.home, 'elsewhere');
    writeContext(other, 'work', `unix://${places.root}/var/run/docker.sock`);
    const found = await findEngine({ DOCKER_CONTEXT: 'work', DOCKER_CONFIG: other }, places);
    expect(found.address).toBe(`unix://${places.root}/var/run/docker.sock`);
  });

  it.each([
    '{root}/var/run/docker.sock',
    '{home}/.docker/run/docker.sock',
    '{home}/.docker/desktop/docker.sock',
    '{home}/.rd/docker.sock',
    '{home}/.orbstack/run/docker.sock',
    '{user}/docker.sock',
    '{user}/podman/podman.sock',
    '{root}/run/podman/podman.sock',
    '{home}/.colima/default/docker.sock',
  ])(`${proves('K-3-21')} finds an engine at %s`, async (pattern) => {
    const places = makePlaces();
    const path = pattern
      .replace('{root}', places.root)
      .replace('{home}', places.home)
      .replace('{user}', places.runtime);
    await startFakeEngine(path);
    const found = await findEngine({ XDG_RUNTIME_DIR: places.runtime }, places);
    expect(found.address).toBe(`unix://${path}`);
  });

  it(`${proves('K-3-21')} passes over a socket that answers nothing`, async () => {
    const places = makePlaces();
    await startFakeEngine(join(places.root, 'var/run/docker.sock'), () => {});
    await startFakeEngine(join(places.home, '.rd/docker.sock'));
    expect((await findEngine({}, places)).address).toBe(`unix://${places.home}/.rd/docker.sock`);
  });

  it(`${proves('K-3-22')} names every socket it tried with what came of it`, async () => {
    const places = makePlaces();
    await startFakeEngine(join(places.home, '.orbstack/run/docker.sock'), (_request, response) => {
      response.writeHead(503).end();
    });
    const failure = await findEngine(
      { DOCKER_CONTEXT: 'gone', XDG_RUNTIME_DIR: places.runtime },
      places,
    ).catch((error: unknown) => error);
    const text = String(failure);
    expect(text).toContain('(docker context gone): cannot be read as a docker context');
    expect(text).toContain(`unix://${places.root}/var/run/docker.sock: no such socket`);
    expect(text).toContain(`unix://${places.home}/.orbstack/run/docker.sock: answered 503 to /_ping`);
    expect(text).toContain(`unix://${places.runtime}/podman/podman.sock: no such socket`);
    expect(text).toContain(`unix://${places.home}/.colima/default/docker.sock: no such socket`);
    expect(failure).toMatchObject({ fix: expect.stringContaining('Start Docker or Podman') });
  });
});
