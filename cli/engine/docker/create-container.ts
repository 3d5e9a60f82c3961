import type Dockerode from 'dockerode';
import { BerthError } from '../../../sources/errors.ts';
import type { ContainerSpec } from '../engine.ts';
import { explainFailure, statusOf, textOf } from '../engine-failure.ts';
import { createContainerOptions, createEndpoint } from './container-options.ts';
import { ask, type DockerContext } from './docker-context.ts';
import { putFiles } from './put-files.ts';

export async function createContainer(context: DockerContext, spec: ContainerSpec): Promise<string> {
  // The client library repeats the whole body in the URL otherwise, where logs keep it.
  const options: Dockerode.ContainerCreateOptions & Record<'_query' | '_body', object> = {
    _query: { name: spec.name },
    _body: createContainerOptions(spec),
  };
  const container = await ask(context, `create container ${spec.name}`, async () => {
    try {
      return await context.docker.createContainer(options);
    } catch (error) {
      throw explainCreateFailure(error, spec, context.address);
    }
  });
  try {
    const primary = spec.network === undefined ? 1 : 0;
    for (const network of (spec.networks ?? []).slice(primary)) {
      await ask(context, `join network ${network.name}`, () =>
        context.docker
          .getNetwork(network.name)
          .connect({ Container: container.id, EndpointConfig: createEndpoint(network) }),
      );
    }
    if (spec.files?.length) {
      const files = spec.files;
      await ask(context, `write files into container ${spec.name}`, () =>
        putFiles(container, files, spec.readOnlyRoot),
      );
    }
  } catch (error) {
    await container.remove({ force: true, v: true }).catch(() => {});
    throw error;
  }
  return container.id;
}

function explainCreateFailure(error: unknown, spec: ContainerSpec, address: string): BerthError {
  const text = textOf(error);
  if (statusOf(error) === 409 || /name .* is (already )?in use/i.test(text)) {
    return new BerthError('engine_name_taken', `A container named ${spec.name} exists already.`, {
      fix: 'Remove it, or choose another name.',
      cause: error,
    });
  }
  if (statusOf(error) === 404 && /image/i.test(text)) {
    return new BerthError('engine_image_not_found', `The container engine has no image ${spec.image}.`, {
      cause: error,
    });
  }
  return explainFailure(error, `create container ${spec.name}`, address);
}
