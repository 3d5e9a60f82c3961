import type { SourceConfig } from '../sources/config/schema.ts';
import { normalizeClaims } from '../sources/model/claims.ts';
import type { Segment } from '../sources/model/entry-table.ts';
import type { Declarations } from './declared.ts';
import type { CreationType } from './source-report.ts';
import { BundleSegment } from './view/bundle-segment.ts';
import { type RegistryPlan, World } from './view/world.ts';

/**
 * The world of these declarations over the segments that are open. Claims of a source are those of its declaration as
 * it is now, so that a change of them holds at once.
 */
export function planWorld(
  declarations: Declarations,
  segmentOf: (source: SourceConfig) => Segment | undefined,
): World {
  const segments = new Map<string, Segment>();
  for (const { config } of declarations.sources.values()) {
    const segment = segmentOf(config);
    if (segment) segments.set(config.name, withClaims(segment, config));
  }
  return World.build(planRegistries(declarations), segments);
}

/** What was made through the API. */
export function onlyApi({ sources, registries }: Declarations): Declarations {
  const isApi = ([, declared]: readonly [string, { readonly creationType: CreationType }]) =>
    declared.creationType === 'API';
  return { sources: new Map([...sources].filter(isApi)), registries: new Map([...registries].filter(isApi)) };
}

function planRegistries({ registries }: Declarations): RegistryPlan[] {
  return [...registries.values()].map(({ config: { name, description, claims, sources } }) => ({
    name,
    description,
    claims: normalizeClaims(claims),
    sources,
  }));
}

function withClaims(segment: Segment, source: SourceConfig): Segment {
  if (!(segment instanceof BundleSegment)) return segment;
  return new BundleSegment(source.name, source.claims, segment.bundle, segment.record);
}
