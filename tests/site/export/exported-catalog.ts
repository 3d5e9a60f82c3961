import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBuiltSite } from '../../../server/site/built-site.ts';
import { ExportFolder } from '../../../server/site/export/export-folder.ts';
import { exportSite } from '../../../server/site/export/export-site.ts';
import { makeAudience, readFiles } from '../../server/site/export/export-world.ts';
import { makeFile, makeServer, makeSkill } from '../../support/make-entry.ts';
import { makeSegment, makeWorld } from '../../support/make-world.ts';

const ACME = { org: 'acme' };
const COUNT = 60;

/** A full export, guides too, of two registries, for a path of its own. */
export async function exportCatalog(basePath: string): Promise<ReadonlyMap<string, Buffer>> {
  const servers = Array.from({ length: COUNT }, (_, i) =>
    makeServer(`io.acme/server-${String(i).padStart(2, '0')}`, '1.0.0', {
      tags: i % 3 === 0 ? ['third', 'storage'] : ['storage'],
      ...(i === 7 ? { status: 'deprecated' as const } : {}),
      body: {
        title: i === 42 ? 'Answer <b>machine</b>' : `Server ${i}`,
        packages: [
          {
            registryType: i % 2 === 0 ? 'npm' : 'pypi',
            identifier: `server-${i}`,
            version: '1.0.0',
            transport: { type: 'stdio' },
          },
        ],
      },
    }),
  );
  const odd = makeServer('io.acme/server-00', '0.9.0+build.1');
  const skill = makeSkill('tools/pdf', '1.0.0', { tags: ['paper'], files: [makeFile('SKILL.md', '# pdf')] });
  const tools = await makeSegment('tools', [...servers, odd, skill], ACME);
  const more = await makeSegment('more', [makeServer('io.acme/extra')], ACME);
  const dir = mkdtempSync(join(tmpdir(), 'berth-export-'));
  try {
    const site = await openBuiltSite();
    if (!site) throw new Error('the site was not built: run `npm run build`');
    const folder = await ExportFolder.begin(join(dir, 'pub'));
    await exportSite({
      world: makeWorld({
        company: { segments: [tools], claims: ACME, description: 'What Acme uses' },
        extras: { segments: [more], claims: ACME },
      }),
      ...{ audience: makeAudience(ACME), site, folder, basePath },
      ...{ title: 'Acme Catalog', serviceUrl: 'https://registry-of-acme.example.com' },
    });
    await folder.finish();
    return readFiles(join(dir, 'pub'));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
