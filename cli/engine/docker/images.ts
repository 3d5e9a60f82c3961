import { BerthError } from '../../../sources/errors.ts';
import type { ImageInfo } from '../engine.ts';
import { statusOf } from '../engine-failure.ts';
import { ask, type DockerContext } from './docker-context.ts';

/** Characters of references and ids. Anything else would reach another path of the engine's API. */
const REFERENCE = /^[a-zA-Z0-9][\w.\-/:@]*$/;

export async function findImage(context: DockerContext, reference: string): Promise<ImageInfo | undefined> {
  if (!REFERENCE.test(reference) || reference.includes('..')) {
    throw new BerthError(
      'engine_reference_invalid',
      `${JSON.stringify(reference)} is not an image reference.`,
    );
  }
  return ask(context, `look for image ${reference}`, async () => {
    try {
      const found = await context.docker.getImage(reference).inspect();
      const config = found.Config;
      return {
        id: found.Id,
        digests: found.RepoDigests ?? [],
        user: config?.User ?? '',
        exposedPorts: readTcpPorts(config?.ExposedPorts ?? {}),
        labels: config?.Labels ?? {},
      };
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  });
}

export function listImages(context: DockerContext, label: string) {
  return ask(context, 'list images', async () => {
    const found = await context.docker.listImages({ filters: JSON.stringify({ label: [label] }) });
    return found.map((image) => ({
      id: image.Id,
      tags: (image.RepoTags ?? []).filter((tag) => tag !== '<none>:<none>'),
      labels: image.Labels ?? {},
    }));
  });
}

export function removeImage(context: DockerContext, id: string): Promise<void> {
  return ask(context, `remove image ${id}`, async () => {
    try {
      await context.docker.getImage(id).remove();
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
    }
  });
}

function readTcpPorts(exposed: Readonly<Record<string, object>>): number[] {
  return Object.keys(exposed)
    .filter((port) => port.endsWith('/tcp'))
    .map((port) => Number.parseInt(port, 10))
    .sort((a, b) => a - b);
}
