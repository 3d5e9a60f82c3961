import { BerthError } from '../../../sources/errors.ts';
import { statusOf, textOf } from '../engine-failure.ts';
import { ask, type DockerContext } from './docker-context.ts';

export function startContainer(context: DockerContext, id: string): Promise<void> {
  return ask(context, `start container ${id.slice(0, 12)}`, async () => {
    try {
      await context.docker.getContainer(id).start();
    } catch (error) {
      // Running already.
      if (statusOf(error) === 304) return;
      const text = textOf(error);
      if (/port is already allocated|address already in use/i.test(text)) {
        throw new BerthError('engine_port_taken', `A port to publish is taken: ${text}`, {
          fix: 'Choose another host port.',
          cause: error,
        });
      }
      throw error;
    }
  });
}

export function stopContainer(context: DockerContext, id: string, graceSeconds: number): Promise<void> {
  return ask(context, `stop container ${id.slice(0, 12)}`, async () => {
    try {
      await context.docker.getContainer(id).stop({ t: graceSeconds });
    } catch (error) {
      const status = statusOf(error);
      if (status !== 304 && status !== 404) throw error;
    }
  });
}

export function removeContainer(context: DockerContext, id: string): Promise<void> {
  return ask(context, `remove container ${id.slice(0, 12)}`, async () => {
    try {
      await context.docker.getContainer(id).remove({ force: true, v: true });
    } catch (error) {
      // Gone, or being removed by someone else: then its end is awaited.
      if (statusOf(error) === 409)
        await context.docker
          .getContainer(id)
          .wait({ condition: 'removed' })
          .catch(() => {});
      else if (statusOf(error) !== 404) throw error;
    }
  });
}
