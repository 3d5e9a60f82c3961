import { Readable } from 'node:stream';
import { z } from 'zod';
import { ask, type DockerContext } from './docker-context.ts';

const endSchema = z.looseObject({ StatusCode: z.number() });

export function waitForContainer(context: DockerContext, id: string): Promise<number> {
  return ask(context, `wait for container ${id.slice(0, 12)}`, async () => {
    const end = endSchema.parse(await context.docker.getContainer(id).wait());
    return end.StatusCode;
  });
}

export function copyFromContainer(context: DockerContext, id: string, path: string): Promise<Readable> {
  return ask(context, `copy ${path} from container ${id.slice(0, 12)}`, async () =>
    Readable.from(await context.docker.getContainer(id).getArchive({ path })),
  );
}
