import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startServer } from '../../sources/net/loopback-server.ts';

/** What a fake registry does otherwise than it should. */
export interface Sickness {
  /** Changes each item before it is sent. */
  readonly item?: (item: Record<string, unknown>, index: number) => unknown;
  /** Changes a page before it is sent. */
  readonly page?: (page: Record<string, unknown>) => unknown;
  /** Writes a cursor another way; read back as it came. */
  readonly cursor?: (plain: string) => string;
  readonly forgetsSearch?: boolean;
  readonly ignoresUpdatedSince?: boolean;
  readonly unknownStatus?: number;
  readonly withoutCors?: boolean;
  readonly withoutPreflight?: boolean;
  readonly wantsToken?: string;
  /** The digest the index of skills tells, instead of the right one. */
  readonly digest?: string;
  readonly withoutSkills?: boolean;
  readonly only?: 'v0';
}

export interface FakeRegistry {
  readonly url: string;
  /** Every request: method, path with query, authorization. */
  readonly asked: string[];
}

const SKILL = '---\nname: pdf\n---\n';
const SKILL_DIGEST = `sha256:${createHash('sha256').update(SKILL).digest('hex')}`;
const OFFICIAL = 'io.modelcontextprotocol.registry/official';

/** The servers of a fake registry: enough for two pages of 50, a third of them called `tool`. */
export const NAMES = Array.from(
  { length: 60 },
  (_, index) => `com.example/${index % 3 === 0 ? 'tool' : 'other'}-${String(index).padStart(2, '0')}`,
);

/** A v0.1 registry on loopback for the running test, in good health but for what is told. */
export async function startRegistry(sickness: Sickness = {}): Promise<FakeRegistry> {
  const asked: string[] = [];
  const { url } = await startServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'}`);
    answer(request, response, sickness);
  });
  return { url: `${url}/registry/main`, asked };
}

function answer(request: IncomingMessage, response: ServerResponse, sick: Sickness): unknown {
  const target = new URL(request.url ?? '/', 'http://host');
  const path = target.pathname.replace('/registry/main', '');
  const send = (status: number, body: unknown, type = 'application/json') => {
    const cors = sick.withoutCors ? {} : { 'access-control-allow-origin': '*' };
    response.writeHead(status, { 'content-type': type, ...cors });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  if (request.method === 'OPTIONS') {
    if (sick.withoutPreflight) return send(405, {});
    response.setHeader('access-control-allow-methods', 'GET, OPTIONS');
    response.setHeader('access-control-allow-headers', 'Authorization, Content-Type');
    response.setHeader('access-control-allow-origin', '*');
    return response.writeHead(204).end();
  }
  if (sick.wantsToken !== undefined && request.headers.authorization !== `Bearer ${sick.wantsToken}`) {
    return send(401, { error: 'no token' });
  }
  if (path === '/.well-known/agent-skills/index.json') {
    if (sick.withoutSkills) return send(404, {});
    const skill = { name: 'pdf', type: 'skill-md', description: 'd', url: 'pdf/SKILL.md' };
    const $schema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';
    return send(200, { $schema, skills: [{ ...skill, digest: sick.digest ?? SKILL_DIGEST }] });
  }
  if (path === '/.well-known/agent-skills/pdf/SKILL.md') return send(200, SKILL, 'text/markdown');
  if (path === '/v0.1/x/dev.toolhive/skills') return send(200, { skills: [], metadata: { count: 0 } });
  const match = /^\/(v0|v0\.1)\/servers(?:\/([^/]+)\/versions\/([^/]+))?$/.exec(path);
  if (!match || (sick.only !== undefined && match[1] !== sick.only))
    return send(404, { error: 'no such path' });
  if (match[2] === undefined) return send(200, listPage(target.searchParams, sick));
  const index = NAMES.indexOf(decodeURIComponent(match[2]));
  if (index < 0 && sick.unknownStatus !== 200) return send(sick.unknownStatus ?? 404, { error: 'unknown' });
  return send(200, makeItem(decodeURIComponent(match[2]), index, sick));
}

function listPage(query: URLSearchParams, sick: Sickness): unknown {
  const cursor = readCursor(query.get('cursor'), sick);
  const carried = sick.forgetsSearch ? undefined : cursor?.search;
  const search = query.get('search') ?? carried ?? '';
  const limit = Number(query.get('limit') ?? 30);
  const future = query.get('updated_since') !== null && !sick.ignoresUpdatedSince;
  const hits = future ? [] : NAMES.filter((name) => name.includes(search));
  const start = cursor?.start ?? 0;
  const page = hits.slice(start, start + limit);
  const next = JSON.stringify({ start: start + limit, search });
  const write = sick.cursor ?? ((plain) => Buffer.from(plain).toString('base64url'));
  const more = start + limit < hits.length ? { nextCursor: write(next) } : {};
  const servers = page.map((name) => makeItem(name, NAMES.indexOf(name), sick));
  const body = { servers, metadata: { count: page.length, ...more } };
  return sick.page ? sick.page(body) : body;
}

function readCursor(text: string | null, sick: Sickness): { start: number; search: string } | undefined {
  if (text === null) return undefined;
  // A sick cursor that got lost on the way leads nowhere.
  if (sick.cursor) return { start: NAMES.length, search: '' };
  return JSON.parse(Buffer.from(text, 'base64url').toString());
}

function makeItem(name: string, index: number, sick: Sickness): unknown {
  const time = '2026-01-01T00:00:00Z';
  const item = {
    server: { name, description: 'A server', version: '1.0.0' },
    _meta: { [OFFICIAL]: { status: 'active', publishedAt: time, updatedAt: time, isLatest: true } },
  };
  return sick.item ? sick.item(item, index) : item;
}
