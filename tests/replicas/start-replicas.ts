import { onTestFinished } from 'vitest';
import type { TestPostgres } from '../server/overlay/postgres/start-postgres.ts';
import { ask, type Reply } from '../support/http-client.ts';
import { type Service, startService } from '../support/start-service.ts';

/** Processes of one registry: the same configuration, a data directory each, one database. */
export interface Replicas {
  readonly all: readonly Service[];
  /** The database they share. */
  readonly database: string;
  /** Starts one more. */
  add(): Promise<Service>;
}

/** @param config without `database`; paths in it are absolute, or inside the directory of each */
export async function startReplicas(
  postgres: TestPostgres,
  config: object,
  { count = 3, prepare }: { count?: number; prepare?: (dir: string) => void } = {},
): Promise<Replicas> {
  const database = await postgres.createDatabase();
  const all: Service[] = [];
  const shared = { ...config, database, auth: { mode: 'anonymous' } };
  const add = async (): Promise<Service> => {
    const service = await startService(shared, { untilReady: false, ...(prepare ? { prepare } : {}) });
    all.push(service);
    return service;
  };
  onTestFinished(async () => {
    await Promise.all(all.map((service) => service.stop()));
  });
  for (let number = 0; number < count; number++) await add();
  return { all, database: database.database, add };
}

/** A server to be published. */
export function makeServer(name: string, version = '1.0.0'): { server: object } {
  return { server: { name, version, description: `About ${name}` } };
}

export function publish(service: Service, body: object, source?: string): Promise<Reply> {
  const query = source === undefined ? '' : `?source=${source}`;
  return ask(`${service.url}/v1/entries${query}`, { method: 'POST', body });
}

/** `name@version` of everything a registry lists. */
export async function listServers(service: Service, registry = 'all'): Promise<string[]> {
  const found: string[] = [];
  let cursor = '';
  do {
    const page = await service.ask(`/registry/${registry}/v0.1/servers?limit=100${cursor}`);
    for (const { server } of page.json.servers) found.push(`${server.name}@${server.version}`);
    const { nextCursor } = page.json.metadata;
    cursor = nextCursor ? `&cursor=${encodeURIComponent(nextCursor)}` : '';
  } while (cursor !== '');
  return found;
}
