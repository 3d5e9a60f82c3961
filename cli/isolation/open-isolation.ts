import type { Engine } from '../engine/engine.ts';
import type { Plan } from '../run/plan.ts';
import type { Isolation, IsolationContext } from './isolation.ts';
import { openGateway } from './open-gateway.ts';
import { openPlainNetwork } from './open-plain-network.ts';
import { isIsolated } from './plan-isolation.ts';

/**
 * Opens the network of a workload that has a container: an internal network with a gateway when it is isolated
 * (contract 4), otherwise the network of `--network`. What a crashed run of the same workload left behind is removed
 * first. Whatever was created is removed again when it fails.
 *
 * @throws BerthError `gateway_image_unavailable`, `gateway_failed`, `isolation_*`, `profile_invalid`, `engine_*`
 */
export function openIsolation(engine: Engine, plan: Plan, context: IsolationContext): Promise<Isolation> {
  return isIsolated(plan) ? openGateway(engine, plan, context) : openPlainNetwork(engine, plan, context);
}
