import type { Segment } from '../../../sources/model/entry-table.ts';
import { World } from '../../view/world.ts';
import type { Audience } from './audience.ts';

/**
 * The world an export is made of: the registries the audience may enter, with the sources of which it sees something.
 * What is not in it cannot get into a file.
 */
export function admitAudience(world: World, { identity, mayAsk }: Audience): World {
  const segments = new Map<string, Segment>();
  const plans = world.plans.flatMap((plan) => {
    const registry = world.registries.get(plan.name);
    if (!registry || !mayAsk(plan.name) || !registry.admits(identity)) return [];
    const seen = registry.sightOf(identity).parts.map(({ segment }) => segment);
    for (const segment of seen) segments.set(segment.source, segment);
    return [{ ...plan, sources: seen.map(({ source }) => source) }];
  });
  return World.build(plans, segments);
}
