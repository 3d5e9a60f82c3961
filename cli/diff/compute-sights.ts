import type { Identity } from '../../server/auth/identity.ts';
import { ANYBODY, createIdentityMaker } from '../../server/auth/make-identity.ts';
import { BundleSegment } from '../../server/view/bundle-segment.ts';
import { mergeNames } from '../../server/view/merge-names.ts';
import type { RegistryView } from '../../server/view/registry-view.ts';
import { World } from '../../server/view/world.ts';
import type { Config } from '../../sources/config/schema.ts';
import type { Sights } from '../../sources/diff/compare-sights.ts';
import { type ClaimSet, normalizeClaims } from '../../sources/model/claims.ts';
import type { ComparedState } from './compared-state.ts';

/** Prepares the question what callers see of a state under a configuration: a caller holds exactly a claims set. */
export function createSightReader(state: ComparedState, config: Config): (set: ClaimSet) => Sights {
  const world = buildWorld(state, config);
  const makeIdentity = createIdentityMaker(config.auth?.authz);
  const remembered = new Map<string, Sights>();
  return (set) => {
    const members = Object.fromEntries(set.map(([key, values]) => [key, [...values]]));
    const identity =
      config.auth?.mode === 'anonymous' ? ANYBODY : makeIdentity(members, Number.POSITIVE_INFINITY);
    // Callers who see the same share one object, which makes thousands of claims sets cheap.
    const key = [...world.registries.values()]
      .map((registry) => (registry.admits(identity) ? registry.sightOf(identity).id : 0))
      .join(' ');
    const known = remembered.get(key);
    if (known) return known;
    const sights = new Map(
      [...world.registries].map(([name, registry]) => [name, listSeen(registry, identity)]),
    );
    remembered.set(key, sights);
    return sights;
  };
}

function buildWorld({ bundles }: ComparedState, config: Config): World {
  const segments = config.sources.flatMap(({ name, claims }) => {
    const bundle = bundles.get(name);
    const record = { hash: bundle?.hash ?? '', origin: { kind: 'file' as const } };
    const counts = { builtAt: '', servers: 0, skills: 0, versions: 0, rejected: 0, bytes: 0 };
    return bundle ? [new BundleSegment(name, claims, bundle, { ...record, ...counts })] : [];
  });
  const plans = config.registries.map(({ name, description, claims, sources }) => ({
    name,
    description,
    claims: normalizeClaims(claims),
    sources,
  }));
  return World.build(plans, new Map(segments.map((segment) => [segment.source, segment])));
}

function listSeen(registry: RegistryView, identity: Identity): ReadonlyMap<string, string> {
  const seen = new Map<string, string>();
  if (!registry.admits(identity)) return seen;
  for (const type of ['server', 'skill'] as const) {
    const { parts } = registry.sightOf(identity);
    for (const { part, table, index, name } of mergeNames(parts, {
      type,
      from: '',
      source: undefined,
      tag: undefined,
    })) {
      if (table.latestOf(index) >= 0) seen.set(`${type}/${name}`, part.segment.source);
    }
  }
  return seen;
}
