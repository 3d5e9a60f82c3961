import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { DatabaseConfig } from '../../../server/overlay/postgres/connection-settings.ts';
import type { CatalogDir } from './write-catalog.ts';

const configSchema = z.looseObject({
  sources: z.array(z.looseObject({ name: z.string(), file: z.looseObject({ path: z.string() }) })),
  registries: z.array(z.looseObject({ sources: z.array(z.string()) })),
  auth: z.looseObject({ authz: z.looseObject({}) }),
});

/** Claims of what is published: every caller of the benchmark who is in this team sees it. */
export const PUBLISHED_CLAIMS = { org: 'acme', team: 'team-0' };

/**
 * A configuration over the files of a catalog, with a managed source in front that every caller may publish into, and
 * an empty data directory of its own.
 * @param database absent: what is published is kept in SQLite
 */
export async function writePublishingConfig(
  catalog: CatalogDir,
  database?: DatabaseConfig,
): Promise<Pick<CatalogDir, 'configFile'>> {
  const config = configSchema.parse(JSON.parse(await readFile(catalog.configFile, 'utf8')));
  const dir = await mkdtemp(join(dirname(catalog.dir), `${basename(catalog.dir)}-published-`));
  const published = { name: 'published', managed: {}, claims: { org: 'acme' } };
  const sources = config.sources.map((source) => ({
    ...source,
    file: { path: join(catalog.dir, source.file.path) },
  }));
  const registries = config.registries.map((registry) => ({
    ...registry,
    sources: [published.name, ...registry.sources],
  }));
  const auth = { ...config.auth, authz: { roles: { manageEntries: [{ org: 'acme' }] } } };
  const configFile = join(dir, 'registry.config.yaml');
  const all = {
    ...config,
    sources: [published, ...sources],
    registries,
    auth,
    ...(database ? { database } : {}),
  };
  await writeFile(configFile, JSON.stringify(all));
  return { configFile };
}
