import type { AdminCall } from '../../../server/admin/admin-route.ts';
import type { EntryContext, ManagedSourceInfo } from '../../../server/admin/entry-context.ts';
import type { Identity } from '../../../server/auth/identity.ts';
import { ANYBODY, createIdentityMaker } from '../../../server/auth/make-identity.ts';
import { HttpError } from '../../../server/http/problem.ts';
import { Overlay } from '../../../server/overlay/overlay.ts';
import { BundleSegment } from '../../../server/view/bundle-segment.ts';
import { World } from '../../../server/view/world.ts';
import { compileBundle } from '../../../sources/bundle/compile-bundle.ts';
import { openBundle } from '../../../sources/bundle/open-bundle.ts';
import type { Claims } from '../../../sources/model/claims.ts';
import type { Segment } from '../../../sources/model/entry-table.ts';
import { openStore } from '../overlay/temporary-store.ts';

const asHolder = createIdentityMaker({
  roles: {
    superAdmin: [{ role: 'super' }],
    manageEntries: [{ role: 'writer' }],
    manageSources: [{ role: 'admin' }],
  },
});
const asAnyToken = createIdentityMaker(undefined);

const person = (claims: Record<string, unknown>): Identity =>
  asHolder({ sub: 'somebody', ...claims }, Number.POSITIVE_INFINITY);

export const CALLERS = {
  writer: person({ org: 'acme', team: 'platform', role: 'writer' }),
  dataWriter: person({ org: 'acme', team: 'data', role: 'writer' }),
  outsideWriter: person({ org: 'contoso', role: 'writer' }),
  superAdmin: person({ role: 'super' }),
  noRole: person({ org: 'acme', team: 'platform', role: 'admin' }),
  authOnly: asAnyToken({ sub: 'token' }, Number.POSITIVE_INFINITY),
  anybody: ANYBODY,
} satisfies Record<string, Identity>;
export type Caller = keyof typeof CALLERS;

export const MANAGED: ManagedSourceInfo = { name: 'internal', claims: { org: 'acme' } };

/** A registry of one synced source (`synced`, claims team=data) and the managed sources given. */
export async function makeContext(sources: readonly ManagedSourceInfo[] = [MANAGED]): Promise<EntryContext> {
  const segments = new Map<string, Segment>([['synced', await makeSynced()]]);
  let world = World.build([], segments);
  const overlay = await Overlay.open(await openStore(), {
    onChange: (_, segment) => {
      world = world.withSegment(segment);
    },
  });
  return { overlay, managedSources: () => sources, world: () => world, maxMetaBytes: () => 2000 };
}

async function makeSynced(): Promise<Segment> {
  const body = server('io.synced/entry');
  const entry = {
    type: 'server' as const,
    name: 'io.synced/entry',
    version: '1.0.0',
    body,
    status: 'active' as const,
  };
  const bytes = await compileBundle({
    entries: [{ ...entry, tags: [], tools: [], file: '', line: 1 }],
    rejected: [],
  });
  return new BundleSegment('synced', { team: 'data' }, openBundle(bytes, 'of the test', undefined, 0), {
    hash: '0'.repeat(64),
    builtAt: '2026-01-01T00:00:00Z',
    origin: { kind: 'file' },
    servers: 1,
    skills: 0,
    versions: 1,
    rejected: 0,
    bytes: bytes.length,
  });
}

export function server(
  name = 'io.example/one',
  version = '1.0.0',
  extra: object = {},
): Record<string, unknown> {
  return { name, description: 'About it', version, ...extra };
}

export function skill(namespace: string, name: string, version = '1.0.0'): Record<string, unknown> {
  return { namespace, name, description: 'About it', version };
}

interface CallOptions {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
}

export function callAs(caller: Caller, { params = {}, query = {}, body }: CallOptions = {}): AdminCall {
  return { identity: CALLERS[caller], params, query: new Map(Object.entries(query)), body, name: () => {} };
}

/** Status and code of what a call throws; the status and `ok` of what it answers. */
export async function outcomeOf(call: () => unknown): Promise<string> {
  try {
    const answer = await call();
    return `${typeof answer === 'object' && answer !== null && 'status' in answer ? answer.status : '?'} ok`;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return `${error.status} ${error.code}`;
  }
}

export const CLAIMS: Claims = { org: 'acme', team: 'platform' };
