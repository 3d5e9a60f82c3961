import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../../../server/observe/log.ts';
import { startServer } from '../../../server/start-server.ts';
import { ask, type Reply } from '../../support/http-client.ts';
import { startIssuer } from '../../support/start-issuer.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { Visitor } from './visitor.ts';

const PERSONAS = {
  chief: { org: 'acme', team: 'platform', job: 'chief' },
  operator: { org: 'acme', team: 'platform', job: 'operator' },
  curator: { org: 'acme', team: 'platform', job: 'curator' },
  publisher: { org: 'acme', team: 'platform', job: 'publisher' },
  dataPublisher: { org: 'acme', team: 'data', job: 'publisher' },
  reader: { org: 'acme', team: 'platform' },
} as const;
export type Persona = keyof typeof PERSONAS | 'stranger';

const ROLES = {
  superAdmin: [{ job: 'chief' }],
  manageSources: [{ job: 'operator' }],
  manageRegistries: [{ job: 'curator' }],
  manageEntries: [{ job: 'publisher' }],
};

/** A service with its pages, and what each persona gets of them. */
export interface AdministeredService {
  readonly url: string;
  readonly auditFile: string;
  visitor(persona: Persona): Visitor;
  /** Calls the API as a persona. */
  call(persona: Persona, method: string, path: string, body?: unknown): Promise<Reply>;
  /** Writes what the source `tools` is made of. */
  writeTools(catalog: object): void;
  close(): Promise<void>;
}

export function server(name: string, version = '1.0.0', more: object = {}): Record<string, unknown> {
  return { name, description: `About ${name}.`, version, ...more };
}

export const FIRST_TOOLS = {
  servers: [server('io.acme/weather'), server('io.acme/maps'), { name: 'io.acme/broken', version: '1.0.0' }],
};

/**
 * Starts a service under authz with a synced source of each team, managed sources and registries.
 * @param settings replace blocks of its configuration; with an `auth` of their own no persona has a token
 */
export async function startAdministeredService(
  settings: Readonly<Record<string, object>> = {},
): Promise<AdministeredService> {
  const issuer = await startIssuer({ callers: PERSONAS });
  const dir = mkdtempSync(join(tmpdir(), 'berth-admin-'));
  const auditFile = join(dir, 'audit.log');
  const writeTools = (catalog: object) => writeFileSync(join(dir, 'tools.json'), JSON.stringify(catalog));
  writeTools(FIRST_TOOLS);
  const oauth = { resourceUrl: 'https://registry.test', providers: [issuer.provider()] };
  const config = {
    sources: [
      synced('tools', { path: 'tools.json' }, { org: 'acme' }),
      synced('vault', { data: { servers: [server('io.acme/secret-vault')] } }, { team: 'security' }),
      { name: 'published', managed: {}, claims: { org: 'acme' } },
      { name: 'data-tools', managed: {}, claims: { team: 'data' } },
    ],
    registries: [
      {
        name: 'company',
        description: 'For everybody at Acme.',
        sources: ['tools', 'published', 'data-tools', 'vault'],
        claims: { org: 'acme' },
      },
      { name: 'guarded', sources: ['vault'], claims: { team: 'security' } },
    ],
    auth: { oauth, authz: { roles: ROLES } },
    audit: { enabled: true, logFile: auditFile },
    ...settings,
  };
  const configFile = join(dir, 'registry.config.yaml');
  writeFileSync(configFile, JSON.stringify(config));
  const address = { host: '127.0.0.1', port: 0 };
  const service = await startServer({
    configFile,
    address,
    internalAddress: address,
    log: createLog({ level: 'silent' }),
  });
  const tokens = new Map<Persona, string>();
  for (const persona of Object.keys(PERSONAS) as (keyof typeof PERSONAS)[]) {
    if (settings.auth === undefined) tokens.set(persona, await issuer.issue(persona));
  }
  await waitUntil(async () => (await ask(`${service.internalUrl}/readiness`)).status === 200, 'readiness');
  return {
    url: service.url,
    auditFile,
    visitor: (persona) => new Visitor(service.url, tokens.get(persona)),
    call: (persona, method, path, body) =>
      ask(service.url + path, { method, token: tokens.get(persona), body }),
    writeTools,
    close: async () => {
      await service.close();
      await issuer.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function synced(name: string, file: object, claims: object): object {
  return { name, file, claims, syncPolicy: { interval: '1h' } };
}
