import { type Engine, LABELS } from '../engine/engine.ts';

/**
 * Removes the gateway and the networks of a workload, found by label, whether this process made them or one that
 * crashed. The server's container has to be gone before, or its network stays in use. Does nothing when there is
 * nothing.
 *
 * @param owner value of `LABELS.owner`
 */
export async function removeIsolation(engine: Engine, workload: string, owner: string): Promise<void> {
  const labels = [`${LABELS.managed}=true`, `${LABELS.workload}=${workload}`, `${LABELS.owner}=${owner}`];
  const [gateways, networks] = await Promise.all([
    engine.listContainers([...labels, `${LABELS.role}=gateway`]),
    engine.listNetworks(labels),
  ]);
  await Promise.all(gateways.map(({ id }) => engine.removeContainer(id)));
  await Promise.all(networks.map(({ id }) => engine.removeNetwork(id)));
}
