import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readCatalog } from '../../../sources/catalog/read-catalog.ts';
import type { Fetched } from '../../../sources/kinds/fetched.ts';
import type { Catalog } from '../../../sources/model/entry.ts';

const root = join(import.meta.dirname, '../../../../shared/catalogs');

function read(path: string): Catalog {
  const origin = { kind: 'file' } as const;
  const from = (relative: string) => ({ path: relative, bytes: readFileSync(join(root, relative)) });
  if (statSync(join(root, path)).isFile()) {
    return readCatalog({ layout: 'file', files: [from(path)], origin, digest: path }, { sourceName: 'real' });
  }
  const files = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .map((inner) => `${path}/${inner}`)
    .filter((inner) => statSync(join(root, inner)).isFile())
    .map(from);
  const fetched: Fetched = { layout: 'directory', files, origin, digest: path };
  return readCatalog(fetched, { sourceName: 'real' });
}

describe.skipIf(!existsSync(root))('published catalogs', () => {
  it.each([
    ['docker.json', 325, 'server'],
    ['toolsdk.json', 4259, 'server'],
    ['toolhive-sample.json', 12, 'server'],
    ['versions.json', 60, 'server'],
    ['servers-yaml', 40, 'server'],
    ['skills.json', 12, 'skill'],
    ['skills', 12, 'skill'],
  ])('reads every entry of %s', (path, count, type) => {
    const { entries, rejected } = read(path);
    expect(rejected).toEqual([]);
    expect(entries.filter((entry) => entry.type === type)).toHaveLength(count);
    expect(entries).toHaveLength(count);
  });

  it('keeps every member of every server as it was given', () => {
    const fileSchema = z.object({ data: z.object({ servers: z.array(z.unknown()) }) });
    const given = fileSchema.parse(JSON.parse(readFileSync(join(root, 'docker.json'), 'utf8')));
    expect(read('docker.json').entries.map((entry) => entry.body)).toEqual(given.data.servers);
  });

  it('reads the YAML files as the same servers that stand in docker.json', () => {
    const byName = new Map(read('docker.json').entries.map((entry) => [entry.name, entry]));
    for (const entry of read('servers-yaml').entries)
      expect(entry.body).toEqual(byName.get(entry.name)?.body);
  });

  it('takes the capitalised status of the publisher extension for deprecation', () => {
    const archived = read('docker.json').entries.filter((entry) =>
      String(entry.body.title).includes('(Archived)'),
    );
    expect(archived).toHaveLength(9);
    expect(archived.map((entry) => entry.status)).toEqual(archived.map(() => 'deprecated'));
  });

  it('gives each entry the line it begins on', () => {
    const lines = readFileSync(join(root, 'versions.json'), 'utf8').split('\n');
    for (const entry of read('versions.json').entries) expect(lines[entry.line - 1]?.trim()).toMatch(/^\{/);
    const oneLine = readFileSync(join(root, 'toolsdk.json'), 'utf8').split('\n');
    for (const entry of read('toolsdk.json').entries)
      expect(oneLine[entry.line - 1]).toContain(`"name":"${entry.name}"`);
  });

  it('reads skill directories with all their files, and cuts the one description that is too long', () => {
    const { entries } = read('skills');
    expect(entries.reduce((sum, entry) => sum + (entry.files?.length ?? 0), 0)).toBe(110);
    for (const entry of entries) {
      expect(entry.files?.[0]?.path).toBe('SKILL.md');
      expect(entry.name.startsWith('real/')).toBe(true);
    }
    const long = entries.find((entry) => entry.name === 'real/claude-api');
    const description = String(long?.body.description);
    expect([...description].length).toBeLessThanOrEqual(1024);
    expect([...description].length).toBeGreaterThan(1000);
    expect(description.endsWith('...')).toBe(true);
  });

  it('reads a catalog of thousands of servers well under a second', () => {
    read('toolsdk.json');
    const start = performance.now();
    read('toolsdk.json');
    expect(performance.now() - start).toBeLessThan(1000);
  });
});
