import Dockerode from 'dockerode';
import type { Engine } from '../../cli/engine/engine.ts';
import { TEST_IMAGES } from './engine-images.ts';

/** What `npx://` builds on unless told otherwise. */
const NODE_IMAGE = { repo: 'node', tag: '24-alpine' };

/**
 * Where images cannot be pulled, gives the name of the image to one of the tests.
 * @returns takes the name back
 */
export async function provideNodeImage(engine: Engine): Promise<() => Promise<void>> {
  const name = `${NODE_IMAGE.repo}:${NODE_IMAGE.tag}`;
  if (await engine.findImage(name)) return async () => {};
  try {
    await engine.pullImage(name, () => {});
    return async () => {};
  } catch {
    const docker = new Dockerode({ socketPath: engine.address.replace('unix://', '') });
    await docker.getImage(TEST_IMAGES.node).tag(NODE_IMAGE);
    return () => engine.removeImage(name);
  }
}
