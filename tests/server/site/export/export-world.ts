import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type BuiltSite, openBuiltSite } from '../../../../server/site/built-site.ts';
import type { Audience } from '../../../../server/site/export/audience.ts';
import { ExportFolder } from '../../../../server/site/export/export-folder.ts';
import { exportSite, type SiteExport } from '../../../../server/site/export/export-site.ts';
import type { World } from '../../../../server/view/world.ts';
import type { Claims } from '../../../../sources/model/claims.ts';
import { makeIdentity } from '../../../support/make-identity.ts';
import { makeDirectory } from '../../../support/temporary-directory.ts';

/** The real pages, which are rendered, and of the files beside them only `paths`. */
export async function openPages(...paths: readonly string[]): Promise<BuiltSite> {
  const site = await openBuiltSite();
  if (!site) throw new Error('the site was not built: run `npm run build`');
  return { ...site, paths };
}

/** Exactly these claims, under authz. */
export function makeAudience(claims: Claims): Audience {
  return { identity: makeIdentity(claims), mayAsk: () => true, reason: 'a test' };
}

export interface Exported extends SiteExport {
  readonly dir: string;
  /** Every file by its path. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Exports a world as long as the running test. */
export async function exportWorld(world: World, audience: Audience, site: BuiltSite): Promise<Exported> {
  const dir = join(makeDirectory(), 'pub');
  const folder = await ExportFolder.begin(dir);
  const done = await exportSite({
    ...{ world, audience, site, folder },
    ...{ title: 'Catalog', serviceUrl: 'https://mcp.example.com', basePath: '/sub/' },
  });
  await folder.finish();
  return { ...done, dir, files: readFiles(dir) };
}

/** The files below a directory by their paths, in order. */
export function readFiles(dir: string): ReadonlyMap<string, Buffer> {
  return new Map(
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile())
      .map((item) => join(item.parentPath, item.name))
      .sort()
      .map((file) => [relative(dir, file), readFileSync(file)] as const),
  );
}
