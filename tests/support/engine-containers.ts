import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { ContainerSpec, Engine } from '../../cli/engine/engine.ts';

/** A name no other test has. */
export function makeEngineName(): string {
  return `berth-test-${randomBytes(5).toString('hex')}`;
}

/** Creates a container that is removed when the test ends; answers its id. */
export async function makeContainer(
  engine: Engine,
  spec: Pick<ContainerSpec, 'image'> & Partial<ContainerSpec>,
): Promise<string> {
  const id = await engine.createContainer({
    name: makeEngineName(),
    labels: {},
    env: {},
    mounts: [],
    interactive: false,
    pids: 128,
    readOnlyRoot: false,
    network: 'none',
    ...spec,
  });
  onTestFinished(() => engine.removeContainer(id));
  return id;
}
