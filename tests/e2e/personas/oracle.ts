import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { type Claims, type Persona, type RegistryLayout, SOURCES, type SourceLayout } from './layout.ts';

/** One version as it stands in the raw catalog. */
export interface RawEntry {
  readonly source: string;
  readonly type: 'server' | 'skill';
  readonly name: string;
  readonly version: string;
  /** The object of the catalog, or for a SKILL.md its front matter. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** The directory of a skill. */
  readonly directory?: string;
}

const read = (source: SourceLayout): RawEntry[] => {
  if (!statSync(source.path).isDirectory()) return readServers(source, readFileSync(source.path, 'utf8'));
  return readdirSync(source.path).flatMap((name) => readDirectory(source, join(source.path, name)));
};

function readServers(source: SourceLayout, text: string): RawEntry[] {
  const listed: Record<string, unknown>[] = JSON.parse(text).data.servers;
  return listed.map((raw) => makeServer(source, raw));
}

function makeServer(source: SourceLayout, raw: Record<string, unknown>): RawEntry {
  return { source: source.name, type: 'server', name: String(raw.name), version: String(raw.version), raw };
}

function readDirectory(source: SourceLayout, directory: string): RawEntry[] {
  const server = join(directory, 'server.yaml');
  if (existsSync(server)) return [makeServer(source, parse(readFileSync(server, 'utf8')))];
  const skill = join(directory, 'SKILL.md');
  if (!existsSync(skill)) return [];
  const [, matter = ''] = readFileSync(skill, 'utf8').split(/^---$/m);
  const raw = parse(matter);
  const name = `${raw.metadata?.namespace ?? source.name}/${basename(directory)}`;
  const version = String(raw.metadata?.version ?? '1.0.0');
  return [{ source: source.name, type: 'skill', name, version, raw, directory }];
}

const entries = new Map(SOURCES.map((source) => [source.name, read(source)]));

/** The visibility rule as the specification says it (5.9, 5.10), written down naively. */
export function satisfies(persona: Persona, claims: Claims | undefined): boolean {
  if (persona.roles.includes('superAdmin')) return true;
  if (!claims || Object.keys(claims).length === 0) return false;
  for (const [key, value] of Object.entries(claims)) {
    const held = listOf(persona.claims[key]);
    if (!listOf(value).some((one) => held.includes(one))) return false;
  }
  return true;
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

/**
 * What a persona sees of a registry: claims filter first, then the first source that still has a name wins with all
 * its versions (contract 5).
 */
export function listVisible(registry: RegistryLayout, persona: Persona, type: RawEntry['type']): RawEntry[] {
  if (!satisfies(persona, registry.claims)) return [];
  const winner = new Map<string, string>();
  const visible: RawEntry[] = [];
  for (const name of registry.sources) {
    const source = SOURCES.find((one) => one.name === name);
    if (!source || !satisfies(persona, source.claims)) continue;
    const seen = new Set<string>();
    for (const entry of entries.get(name) ?? []) {
      if (entry.type !== type || (winner.get(entry.name) ?? name) !== name) continue;
      winner.set(entry.name, name);
      const key = `${entry.name} ${entry.version}`;
      if (!seen.has(key)) visible.push(entry);
      seen.add(key);
    }
  }
  return visible;
}

/** Every name any source of a registry has, visible or not. */
export function listNames(registry: RegistryLayout, type: RawEntry['type']): string[] {
  const all = registry.sources.flatMap((name) => entries.get(name) ?? []);
  return [...new Set(all.filter((entry) => entry.type === type).map(({ name }) => name))].sort();
}

/** A text that two versions share exactly when they are the same version of the same entry of the same source. */
export function identify({ source, name, version }: Pick<RawEntry, 'source' | 'name' | 'version'>): string {
  return `${source} ${name}@${version}`;
}
