import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const SAMPLES = join(import.meta.dirname, '../../../sources/samples');
const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
const PUBLISHER = 'io.modelcontextprotocol.registry/publisher-provided';

const input = z.looseObject({
  name: z.string().optional(),
  isSecret: z.boolean().optional(),
  value: z.string().optional(),
  default: z.string().optional(),
});
const extension = z.strictObject({
  status: z.literal('Active'),
  tier: z.enum(['Official', 'Community']),
  tags: z.array(z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)).min(1),
  tools: z.array(z.string().min(1)).min(1),
  permissions: z.strictObject({
    network: z.strictObject({
      outbound: z.union([
        z.strictObject({ insecure_allow_all: z.literal(true) }),
        z.strictObject({ allow_host: z.array(z.string()), allow_port: z.array(z.int()) }),
      ]),
    }),
  }),
});
const server = z.looseObject({
  $schema: z.literal(SCHEMA),
  name: z.string().regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().min(1).max(255),
  packages: z
    .array(
      z.looseObject({
        registryType: z.enum(['npm', 'pypi', 'oci']),
        identifier: z.string().min(1),
        version: z.string().optional(),
        environmentVariables: z.array(input).optional(),
      }),
    )
    .default([]),
  remotes: z.array(z.looseObject({ type: z.string(), url: z.string().startsWith('https://') })).default([]),
  _meta: z.strictObject({
    [PUBLISHER]: z.strictObject({ 'io.github.stacklok': z.record(z.string(), extension) }),
  }),
});
const catalog = z.strictObject({
  version: z.string(),
  meta: z.strictObject({ last_updated: z.iso.datetime() }),
  data: z.strictObject({ servers: z.array(server) }),
});

const servers = catalog.parse(JSON.parse(readFileSync(join(SAMPLES, 'servers.json'), 'utf8'))).data.servers;

describe('the sample servers', () => {
  it('are 22 servers, two of them in two versions, none twice', () => {
    const versions = new Map<string, string[]>();
    for (const { name, version } of servers) versions.set(name, [...(versions.get(name) ?? []), version]);
    expect(versions.size).toBe(22);
    expect([...versions.values()].filter((list) => list.length === 2)).toHaveLength(2);
    expect(new Set(servers.map((one) => `${one.name}@${one.version}`)).size).toBe(servers.length);
    expect(servers).toHaveLength(24);
  });

  it('cover npm, PyPI, images and remote servers', () => {
    const kinds = servers.flatMap<string>((one) => [
      ...one.packages.map((item) => item.registryType),
      ...one.remotes.map(() => 'remote'),
    ]);
    for (const kind of ['npm', 'pypi', 'oci', 'remote']) {
      expect(kinds.filter((item) => item === kind).length, kind).toBeGreaterThanOrEqual(3);
    }
  });

  it.each(
    servers.map((one) => [`${one.name}@${one.version}`, one] as const),
  )('%s can be installed or reached', (_, one) => {
    expect(one.packages.length + one.remotes.length).toBeGreaterThan(0);
    for (const item of one.packages) {
      const tag = /:([^:/]+)$/.exec(item.identifier)?.[1];
      expect(item.registryType === 'oci' ? tag : item.version).toBe(one.version);
    }
    const known = [...one.packages.map((item) => item.identifier), ...one.remotes.map((item) => item.url)];
    const described = Object.keys(one._meta[PUBLISHER]['io.github.stacklok']);
    expect(described.length).toBeGreaterThan(0);
    expect(known).toEqual(expect.arrayContaining(described));
    expect(JSON.stringify(one._meta[PUBLISHER]).length).toBeLessThanOrEqual(4096);
  });

  it('carry no secret', () => {
    const secrets = servers.flatMap((one) =>
      one.packages.flatMap((item) => item.environmentVariables ?? []).filter((variable) => variable.isSecret),
    );
    expect(secrets.length).toBeGreaterThan(3);
    for (const variable of secrets)
      expect([variable.value, variable.default]).toEqual([undefined, undefined]);
  });
});

describe('the sample skills', () => {
  const root = join(SAMPLES, 'skills');
  const names = readdirSync(root);
  const frontMatter = z.looseObject({
    name: z
      .string()
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      .max(64),
    description: z.string().min(1).max(1024),
    license: z.literal('Apache-2.0'),
    metadata: z.strictObject({
      version: z.string().regex(/^\d+\.\d+\.\d+$/),
      namespace: z.literal('dev.berth.samples'),
    }),
  });

  it('are four, two of them with further files', () => {
    expect(names).toHaveLength(4);
    expect(names.filter((name) => readdirSync(join(root, name)).length > 1)).toHaveLength(2);
  });

  it.each(names)('%s has valid front matter and names only files that exist', (name) => {
    const text = readFileSync(join(root, name, 'SKILL.md'), 'utf8');
    const [, head = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
    expect(frontMatter.parse(parse(head)).name).toBe(name);
    expect(body.trim()).not.toBe('');
    const mentioned = [...body.matchAll(/`((?:scripts|references)\/[^`\s]+)`/g)].map(
      (match) => match[1] ?? '',
    );
    for (const path of mentioned) expect(existsSync(join(root, name, path)), path).toBe(true);
    const further = readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).filter(
      (path) => path !== 'SKILL.md' && statSync(join(root, name, path)).isFile(),
    );
    expect([...new Set(mentioned)].sort()).toEqual(further.sort());
  });
});
