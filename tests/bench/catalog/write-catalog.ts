import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Claims } from '../../../sources/model/claims.ts';
import { makeServer } from './make-server.ts';

export const SOURCE_COUNT = 40;
export const REGISTRY = 'bench';
export const AUDIENCE = 'berth-bench';
const VERSIONS = ['1.4.2', '1.5.0'];

/** A directory with a configuration, its catalogs and (later) its bundles. */
export interface CatalogDir {
  readonly dir: string;
  readonly configFile: string;
  readonly servers: number;
  readonly versions: number;
  /** Absolute paths of the catalogs, one per source. */
  readonly files: readonly string[];
}

/** Distinct for every source. */
export function claimsOf(source: number): Claims {
  const team = `team-${source}`;
  return source % 3 === 0
    ? { org: 'acme', team: [team, 'platform'], tier: ['gold', 'silver'] }
    : { org: 'acme', team };
}

/** What the callers hold: each sees a different dozen of the sources. */
export function callerClaims(caller: number): Record<string, unknown> {
  const team = Array.from(
    { length: 12 },
    (_, step) => `team-${(caller + step * 3 + (step % 2)) % SOURCE_COUNT}`,
  );
  return { sub: `caller-${caller}`, org: 'acme', team, tier: caller % 2 === 0 ? 'gold' : 'bronze' };
}

/** Writes catalogs of `servers` servers with two versions each, dealt to 40 sources with claims of their own. */
export async function writeCatalog(dir: string, servers: number, issuerUrl: string): Promise<CatalogDir> {
  await mkdir(join(dir, 'catalogs'), { recursive: true });
  const files: string[] = [];
  for (let source = 0; source < SOURCE_COUNT; source++) {
    const entries: unknown[] = [];
    for (let number = source; number < servers; number += SOURCE_COUNT)
      for (const version of VERSIONS) entries.push(makeServer(number, version));
    const file = join(dir, 'catalogs', `${nameOf(source)}.json`);
    await writeFile(file, formatCatalog(entries));
    files.push(file);
  }
  const configFile = join(dir, 'registry.config.yaml');
  await writeFile(configFile, JSON.stringify(makeConfig(issuerUrl), null, 2));
  return { dir, configFile, servers, versions: servers * VERSIONS.length, files };
}

/** A catalog in the form of the upstream registry file. */
export function formatCatalog(servers: readonly unknown[]): string {
  return JSON.stringify({
    version: '1.0.0',
    meta: { last_updated: '2026-01-01T00:00:00Z' },
    data: { servers },
  });
}

function nameOf(source: number): string {
  return `source-${String(source).padStart(2, '0')}`;
}

function makeConfig(issuerUrl: string): Record<string, unknown> {
  const sources = Array.from({ length: SOURCE_COUNT }, (_, source) => ({
    name: nameOf(source),
    file: { path: `catalogs/${nameOf(source)}.json` },
    syncPolicy: { interval: '6h' },
    claims: claimsOf(source),
  }));
  return {
    sources,
    registries: [{ name: REGISTRY, sources: sources.map(({ name }) => name), claims: { org: 'acme' } }],
    auth: {
      mode: 'oauth',
      oauth: {
        resourceUrl: 'http://127.0.0.1:8080',
        providers: [{ name: 'loopback', issuerUrl, audience: AUDIENCE, allowPrivateIP: true }],
      },
      authz: { roles: {} },
    },
    dataDir: 'data',
    site: { enabled: false },
  };
}
