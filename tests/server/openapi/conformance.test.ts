import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RunningServer } from '../../../server/start-server.ts';
import { openService } from '../docs/open-service.ts';
import { checkAnswer } from './check-answer.ts';

const SERVER = { name: 'io.acme/clock', description: 'Tells the time.', version: '1.0.0' };
const SKILL = { namespace: 'io.acme', name: 'pdf-forms', description: 'Fills in forms.', version: '1.0.0' };
const CLOCK = '/v1/entries/server/io.acme%2Fclock';

let service: RunningServer;
beforeAll(async () => {
  service = await openService();
  await vi.waitFor(async () => {
    const answer = await fetch(`${service.internalUrl}/readiness`);
    expect(answer.status).toBe(200);
  }, 10_000);
});
afterAll(() => service.close());

/** Makes a real call and holds the answer against the document. */
async function call(method: string, path: string, template: string, status: number, body?: unknown) {
  const answer = await fetch(service.url + path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  const parsed: unknown = isJson ? JSON.parse(text) : undefined;
  checkAnswer(method, template, answer.status, parsed);
  expect(`${method} ${path} ${answer.status}`).toBe(`${method} ${path} ${status}`);
  return parsed;
}

describe('real answers are as the document says', () => {
  it('when entries are published, read, changed and deleted', async () => {
    await call('POST', '/v1/entries', '/v1/entries', 201, { server: SERVER, claims: { org: 'acme' } });
    await call('POST', '/v1/entries', '/v1/entries', 201, { skill: SKILL });
    await call('POST', '/v1/entries', '/v1/entries', 409, { server: SERVER, claims: { org: 'acme' } });
    await call('POST', '/v1/entries', '/v1/entries', 400, { server: {} });
    const entry = '/v1/entries/{type}/{name}';
    await call('GET', `${CLOCK}/claims`, `${entry}/claims`, 200);
    await call('PUT', `${CLOCK}/claims`, `${entry}/claims`, 204, { claims: {} });
    await call('PUT', `${CLOCK}/claims`, `${entry}/claims`, 400, {});
    const version = `${entry}/versions/{version}`;
    await call('GET', `${CLOCK}/versions/1.0.0`, version, 200);
    await call('GET', '/v1/entries/skill/io.acme%2Fpdf-forms/versions/1.0.0', version, 200);
    await call('PATCH', `${CLOCK}/versions/1.0.0`, version, 200, {
      status: 'deprecated',
      statusMessage: 'Old.',
    });
    await call('PATCH', `${CLOCK}/versions/1.0.0`, version, 400, { status: 'gone' });
    await call('GET', '/v1/entries/server/io.acme%2Fweather/claims', `${entry}/claims`, 404);
    const base = '/registry/{registry}/v0.1';
    await call('GET', '/registry/public/v0.1/servers?limit=1', `${base}/servers`, 200);
    await call('GET', '/registry/public/v0.1/servers?limit=0', `${base}/servers`, 400);
    await call('GET', '/registry/nowhere/v0.1/servers', `${base}/servers`, 404);
    const server = `${base}/servers/{name}/versions`;
    await call('GET', '/registry/public/v0.1/servers/io.acme%2Fclock/versions', server, 200);
    await call(
      'GET',
      '/registry/public/v0.1/servers/io.acme%2Fclock/versions/latest',
      `${server}/{version}`,
      200,
    );
    await call('GET', '/registry/public/v0.1/servers/io.acme%2Fclock/versions/9', `${server}/{version}`, 404);
    const skills = `${base}/x/dev.toolhive/skills`;
    await call('GET', '/registry/public/v0.1/x/dev.toolhive/skills', skills, 200);
    await call(
      'GET',
      '/registry/public/v0.1/x/dev.toolhive/skills/io.acme/pdf-forms',
      `${skills}/{namespace}/{name}`,
      200,
    );
    await call(
      'GET',
      '/registry/public/v0.1/x/dev.toolhive/skills/io.acme/pdf-forms/versions',
      `${skills}/{namespace}/{name}/versions`,
      200,
    );
    await call(
      'GET',
      '/registry/public/v0.1/x/dev.toolhive/skills/io.acme/pdf-forms/versions/1.0.0',
      `${skills}/{namespace}/{name}/versions/{version}`,
      200,
    );
    const discovery = '/registry/{registry}/.well-known/agent-skills';
    await call('GET', '/registry/public/.well-known/agent-skills/index.json', `${discovery}/index.json`, 200);
    await call(
      'GET',
      '/registry/public/.well-known/agent-skills/none/SKILL.md',
      `${discovery}/{name}/SKILL.md`,
      404,
    );
    await call('GET', '/v1/registries/public/entries?limit=1', '/v1/registries/{registry}/entries', 200);
    await call('DELETE', `${CLOCK}/versions/1.0.0`, version, 204);
    await call('DELETE', `${CLOCK}/versions/1.0.0`, version, 404);
  });

  it('when sources and registries are declared, synced and rolled back', async () => {
    const source = '/v1/sources/{source}';
    await call('GET', '/v1/sources', '/v1/sources', 200);
    await call('GET', '/v1/sources/upstream', source, 200);
    await call('GET', '/v1/sources/none', source, 404);
    await call('PUT', '/v1/sources/made', source, 201, { managed: {}, claims: { org: 'acme' } });
    await call('PUT', '/v1/sources/made', source, 200, { managed: {} });
    await call('PUT', '/v1/sources/made', source, 400, { nothing: {} });
    await call('PUT', '/v1/sources/upstream', source, 403, { managed: {} });
    const inline = {
      file: { data: { servers: [SERVER] } },
      syncPolicy: { interval: '1h' },
      filter: { names: { include: ['io.*'] } },
    };
    await call('PUT', '/v1/sources/inline', source, 201, inline);
    await call('GET', '/v1/sources/upstream/entries', `${source}/entries`, 200);
    const { bundles } = Object(await call('GET', '/v1/sources/upstream/bundles', `${source}/bundles`, 200));
    expect(bundles).toHaveLength(1);
    await call('POST', '/v1/sources/upstream/rollback', `${source}/rollback`, 200, { hash: bundles[0].hash });
    await call('POST', '/v1/sources/upstream/rollback', `${source}/rollback`, 404, { hash: 'ffffffffffff' });
    await call('POST', '/v1/sources/upstream/rollback', `${source}/rollback`, 400, {});
    await call('POST', '/v1/sources/upstream/sync', `${source}/sync`, 202);
    await call('POST', '/v1/sources/published/sync', `${source}/sync`, 409);
    const registry = '/v1/registries/{registry}';
    await call('PUT', '/v1/registries/made', registry, 201, { sources: ['made'], description: 'Made.' });
    await call('PUT', '/v1/registries/made', registry, 200, {
      sources: ['made', 'upstream'],
      claims: { org: 'acme' },
    });
    await call('PUT', '/v1/registries/made', registry, 400, { sources: ['none'] });
    await call('GET', '/v1/registries/made', registry, 200);
    await call('GET', '/v1/registries', '/v1/registries', 200);
    await call('DELETE', '/v1/sources/made', source, 409);
    await call('DELETE', '/v1/registries/made', registry, 204);
    await call('DELETE', '/v1/registries/made', registry, 404);
    await call('DELETE', '/v1/sources/made', source, 204);
  });

  it('when the caller asks about itself, in anonymous mode', async () => {
    await call('GET', '/v1/me', '/v1/me', 401);
    await call('GET', '/registry', '/registry', 200);
    const metadata = '/.well-known/oauth-protected-resource';
    await call('GET', metadata, metadata, 404);
    await call('POST', '/hooks/git/upstream', '/hooks/git/{source}', 404, {});
    const explain = '/v1/explain';
    await call('GET', `${explain}?registry=public&entry=server/io.acme/weather`, explain, 200);
    await call('GET', `${explain}?registry=public&entry=nothing`, explain, 400);
    await call('GET', `${explain}?registry=nowhere&entry=server/a/b`, explain, 404);
  });
});
