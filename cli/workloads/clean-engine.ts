import { type Engine, LABELS } from '../engine/engine.ts';

/**
 * Removes everything of a workload from an engine: what its supervisor would have removed, had it not been killed.
 * Does nothing where nothing is left, or without an engine.
 */
export async function cleanEngine(engine: Engine | undefined, owner: string, name: string): Promise<void> {
  if (engine === undefined) return;
  const labels = [`${LABELS.workload}=${name}`, `${LABELS.owner}=${owner}`];
  const containers = await engine.listContainers(labels);
  await Promise.all(containers.map(({ id }) => engine.removeContainer(id)));
  for (const network of await engine.listNetworks(labels)) await engine.removeNetwork(network.name);
}
