import { BundleSegment } from '../../server/view/bundle-segment.ts';
import { World } from '../../server/view/world.ts';
import { compileBundle } from '../../sources/bundle/compile-bundle.ts';
import { hashBundle } from '../../sources/bundle/format.ts';
import { type OpenBundle, openBundle } from '../../sources/bundle/open-bundle.ts';
import { type Claims, normalizeClaims } from '../../sources/model/claims.ts';
import type { CatalogEntry } from '../../sources/model/entry.ts';
import type { Segment } from '../../sources/model/entry-table.ts';

/** When the entries of a made bundle were first seen. */
export const SEEN = Date.parse('2026-01-01T00:00:00Z');

/** Entries compiled and opened again. */
export async function openEntries(entries: readonly CatalogEntry[], now = SEEN): Promise<OpenBundle> {
  const bytes = await compileBundle({ entries, rejected: [] });
  return openBundle(bytes, hashBundle(bytes), undefined, now);
}

/** A synced source with these entries. */
export async function makeSegment(
  source: string,
  entries: readonly CatalogEntry[],
  claims?: Claims,
  origin: Readonly<Record<string, unknown>> & { kind: 'file' | 'git' | 'api' } = { kind: 'file' },
): Promise<BundleSegment> {
  const bundle = await openEntries(entries);
  return new BundleSegment(source, claims, bundle, {
    hash: bundle.hash,
    builtAt: new Date(SEEN).toISOString(),
    origin,
    servers: bundle.servers.nameCount,
    skills: bundle.skills.nameCount,
    versions: entries.length,
    rejected: 0,
    bytes: 0,
  });
}

export interface MadeRegistry {
  readonly segments: readonly Segment[];
  readonly claims?: Claims;
  readonly description?: string;
}

/** A world of registries by name. */
export function makeWorld(registries: Readonly<Record<string, MadeRegistry>>): World {
  const segments = new Map<string, Segment>();
  for (const registry of Object.values(registries))
    for (const segment of registry.segments) segments.set(segment.source, segment);
  const plans = Object.entries(registries).map(([name, registry]) => ({
    name,
    description: registry.description,
    claims: normalizeClaims(registry.claims),
    sources: registry.segments.map((segment) => segment.source),
  }));
  return World.build(plans, segments);
}
