import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../../server/start-server.ts';
import { proves } from '../../requirements/proves.ts';
import { ask } from '../../support/http-client.ts';
import { openService } from '../docs/open-service.ts';

let service: RunningServer;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const server = (name: string, version = '1.0.0') => ({ name, version, description: 'About it' });
const skill = (namespace: string, name: string) => ({
  namespace,
  name,
  version: '1.0.0',
  description: 'About it',
});
const publish = (body: object) => ask(`${service.url}/v1/entries`, { method: 'POST', body });

describe('the paths of entries', () => {
  it(`${proves('C-6-37', 'C-6-38', 'C-6-73', 'C-6-74', 'S-4-09', 'S-1-09', 'S-9-02')} tell servers and skills apart by type and by the whole name, its slash written %2F`, async () => {
    const places: [place: string, body: object, claims: Record<string, string>][] = [
      ['server/io.example%2Fone', { server: server('io.example/one') }, { of: 'server' }],
      ['skill/io.example%2Fone', { skill: skill('io.example', 'one') }, { of: 'skill' }],
      ['skill/io.other%2Fone', { skill: skill('io.other', 'one') }, { of: 'other skill' }],
    ];
    for (const [place, body, claims] of places) {
      const answer = await publish({ ...body, claims });
      expect(answer.status).toBe(201);
      expect([answer.json]).toEqual(Object.values(body));
      expect(answer.headers.get('location')).toBe(`/v1/entries/${place}/versions/1.0.0`);
      expect((await ask(service.url + answer.headers.get('location'))).status).toBe(200);
    }
    const readClaims = (place: string) => ask(`${service.url}/v1/entries/${place}/claims`);
    for (const [place, , claims] of places) {
      const { status, json } = await readClaims(place);
      expect([place, status, json]).toEqual([place, 200, { claims }]);
    }
    const removed = await ask(`${service.url}/v1/entries/skill/io.example%2Fone/versions/1.0.0`, {
      method: 'DELETE',
    });
    expect(removed.status).toBe(204);
    expect((await readClaims('skill/io.example%2Fone')).status).toBe(404);
    expect((await readClaims('skill/io.other%2Fone')).status).toBe(200);
    expect((await readClaims('server/io.example%2Fone')).status).toBe(200);
  });

  it(`${proves('C-6-80')} give one 201 and 99 409 to 100 publishes of one version at once`, async () => {
    const body = { server: server('io.example/contended') };
    const answers = await Promise.all(Array.from({ length: 100 }, () => publish(body)));
    const counts = new Map<number, number>();
    for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({ 201: 1, 409: 99 });
  });
});
