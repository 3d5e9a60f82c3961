import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseAddress } from '../../server/parse-address.ts';
import { loadConfig } from '../../sources/config/load-config.ts';
import { answersInternally } from './answers-internally.ts';

const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url));
const read = (name: string) => readFileSync(`${DEPLOY}${name}`, 'utf8');

const service = z.object({
  image: z.string(),
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
  command: z.array(z.string()).optional(),
  deploy: z.object({ replicas: z.number() }).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.literal('service_healthy') })).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }),
  networks: z.array(z.string()),
});
const compose = z
  .object({
    services: z.object({ berth: service, 'load-balancer': service, database: service }),
    secrets: z.record(z.string(), z.object({ file: z.string() })),
    volumes: z.record(z.string(), z.unknown()),
    networks: z.record(z.string(), z.object({ internal: z.boolean() }).nullable()),
  })
  .parse(parse(read('compose.yaml')));
const { berth, database, 'load-balancer': balancer } = compose.services;

const GIVEN = {
  PUBLIC_URL: 'https://registry.example.com',
  ISSUER_URL: 'https://login.example.com',
  AUDIENCE: 'registry',
  ADMIN_GROUP: 'admins',
};
const CONFIG = `${DEPLOY}compose/berth/registry.config.yaml`;

function portOf(flag: string): number {
  const at = berth.command?.indexOf(flag) ?? -1;
  return parseAddress(berth.command?.[at + 1] ?? '', flag).port;
}

describe('deploy/compose.yaml', () => {
  it('starts three replicas with a configuration that is valid', async () => {
    expect(berth.deploy?.replicas).toBe(3);
    expect(berth.command?.slice(0, 4)).toEqual([
      'berth',
      'serve',
      '--config',
      '/etc/berth/registry.config.yaml',
    ]);
    expect(berth.volumes).toContain('./compose/berth:/etc/berth:ro');
    const { config, dataDir } = await loadConfig(CONFIG, { env: GIVEN });
    expect(berth.volumes).toContain(dataDir);
    const providers = config.auth?.oauth?.providers;
    expect([config.auth?.mode, providers?.[0]?.issuerUrl]).toEqual(['oauth', GIVEN.ISSUER_URL]);
    for (const { file } of config.sources) {
      if (file?.path) expect(existsSync(file.path.replace('/app/', `${DEPLOY}../`))).toBe(true);
    }
  });

  it('asks for every variable instead of having a default for it', async () => {
    expect(Object.keys(berth.environment).sort()).toEqual(Object.keys(GIVEN).sort());
    for (const [name, value] of Object.entries(berth.environment)) expect(value).toMatch(`\${${name}:?`);
    for (const name of Object.keys(GIVEN)) {
      const env = Object.fromEntries(Object.entries(GIVEN).filter(([key]) => key !== name));
      await expect(loadConfig(CONFIG, { env })).rejects.toThrow(name);
    }
  });

  it('gives service and database the same password, as a file', async () => {
    const { config } = await loadConfig(CONFIG, { env: GIVEN });
    const file = config.database?.passwordFile;
    expect(file).toBe('/run/secrets/database-password');
    expect(database.environment).toEqual({
      POSTGRES_USER: config.database?.user,
      POSTGRES_DB: config.database?.database,
      POSTGRES_PASSWORD_FILE: file,
    });
    expect([berth.secrets, database.secrets]).toEqual([['database-password'], ['database-password']]);
    expect(compose.secrets['database-password']?.file).toContain('DATABASE_PASSWORD_FILE');
    expect(read('compose.yaml')).not.toMatch(/PASSWORD:(?!-)/);
  });

  it('joins the services by names, networks and volumes that are there', async () => {
    const { config } = await loadConfig(CONFIG, { env: GIVEN });
    expect(Object.keys(compose.services)).toContain(config.database?.host);
    expect(compose.networks.back?.internal).toBe(true);
    expect([balancer.networks, database.networks]).toEqual([['front'], ['back']]);
    expect(berth.networks).toEqual(['front', 'back']);
    expect(Object.keys(balancer.depends_on)).toEqual(['berth']);
    expect(Object.keys(berth.depends_on)).toEqual(['database']);
    expect(Object.keys(compose.volumes)).toEqual(['database']);
    expect([database.ports, berth.ports]).toEqual([[], []]);
    expect(existsSync(`${DEPLOY}${berth.build?.context}/${berth.build?.dockerfile}`)).toBe(true);
  });

  it('checks replicas where the service answers', async () => {
    const [clients, internal] = [portOf('--address'), portOf('--internal-address')];
    const url = /http:\/\/127\.0\.0\.1:(\d+)(\/\w+)/.exec(berth.healthcheck.test.join(' '));
    expect(Number(url?.[1])).toBe(internal);
    expect(await answersInternally(url?.[2] ?? '')).toBe(200);
    const proxy = read('compose/haproxy.cfg');
    const checked = [...proxy.matchAll(/http-check send meth GET uri (\S+)/g)].map(([, path = '']) => path);
    expect(checked).toEqual(['/readiness', '/health']);
    for (const path of checked) expect(await answersInternally(path)).toBe(200);
    expect(proxy.match(new RegExp(`check port ${internal} `, 'g'))).toHaveLength(checked.length);
    expect(proxy.match(new RegExp(`server-template berth \\d+ berth:${clients}$`, 'gm'))).toHaveLength(2);
    expect(balancer.ports).toEqual([expect.stringMatching(/:8080$/)]);
    expect(proxy).toContain('bind :8080\n');
    const alive = /http:\/\/127\.0\.0\.1:(\d+)(\S+)/.exec(balancer.healthcheck.test.join(' '));
    expect(proxy).toContain(`bind 127.0.0.1:${alive?.[1]}\n  monitor-uri ${alive?.[2]}\n`);
    expect(balancer.volumes).toEqual(['./compose/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro']);
  });
});
