import type { Segment } from '../../sources/model/entry-table.ts';
import { type RegistrySettings, RegistryView } from './registry-view.ts';

export interface RegistryPlan extends RegistrySettings {
  readonly sources: readonly string[];
}

/**
 * Everything that is served at one moment. Never changes: each change makes the next world, which shares all registry
 * views the change does not touch, and one reference is swapped.
 */
export class World {
  readonly plans: readonly RegistryPlan[];
  readonly segments: ReadonlyMap<string, Segment>;
  readonly registries: ReadonlyMap<string, RegistryView>;

  private constructor(
    plans: readonly RegistryPlan[],
    segments: ReadonlyMap<string, Segment>,
    registries: ReadonlyMap<string, RegistryView>,
  ) {
    this.plans = plans;
    this.segments = segments;
    this.registries = registries;
  }

  /** @param before registry views whose plan and segments are the same are taken over */
  static build(
    plans: readonly RegistryPlan[],
    segments: ReadonlyMap<string, Segment>,
    before?: World,
  ): World {
    const registries = new Map<string, RegistryView>();
    for (const plan of plans) {
      const own = plan.sources.flatMap((source) => segments.get(source) ?? []);
      const old = before?.registries.get(plan.name);
      const reusable = old && before?.plans.includes(plan) && sameItems(old.segments, own);
      registries.set(plan.name, reusable ? old : new RegistryView(plan, own, old));
    }
    return new World(plans, segments, registries);
  }

  /** The world after one source's segment changed. */
  withSegment(segment: Segment): World {
    return World.build(this.plans, new Map(this.segments).set(segment.source, segment), this);
  }

  withoutSegment(source: string): World {
    const segments = new Map(this.segments);
    segments.delete(source);
    return World.build(this.plans, segments, this);
  }
}

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
