import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../../server/observe/log.ts';
import type { BuiltSite } from '../../../server/site/built-site.ts';
import { type RunningServer, startServer } from '../../../server/start-server.ts';

const BASE = {
  sources: [
    {
      name: 'upstream',
      file: { data: { servers: [{ name: 'io.acme/weather', description: 'Weather.', version: '1.0.0' }] } },
      syncPolicy: { interval: '1h' },
    },
    { name: 'published', managed: {} },
  ],
  registries: [{ name: 'public', description: 'For everybody.', sources: ['upstream', 'published'] }],
  auth: { mode: 'anonymous' },
};

/**
 * Starts the real service on loopback with a small anonymous configuration, changed by `settings`.
 * @param openSite the pages of the site; none when absent, as where they were not built
 */
export async function openService(
  settings: object = {},
  openSite: () => Promise<BuiltSite | undefined> = async () => undefined,
): Promise<RunningServer> {
  const directory = mkdtempSync(join(tmpdir(), 'berth-docs-'));
  const configFile = join(directory, 'registry.config.yaml');
  await writeFile(configFile, JSON.stringify({ ...BASE, ...settings }));
  const server = await startServer({
    configFile,
    address: { host: '127.0.0.1', port: 0 },
    internalAddress: { host: '127.0.0.1', port: 0 },
    log: createLog({ level: 'silent' }),
    openSite,
  });
  return {
    ...server,
    close: async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
