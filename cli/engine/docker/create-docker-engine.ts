import type Dockerode from 'dockerode';
import type { Engine } from '../engine.ts';
import type { FindCredentials } from '../registry/find-credentials.ts';
import { attachContainer } from './attach-container.ts';
import { buildImage } from './build-image.ts';
import { copyFromContainer, waitForContainer } from './collect-from-container.ts';
import { followLogs, readLogs } from './container-logs.ts';
import { createContainer } from './create-container.ts';
import { describeEngine } from './describe-engine.ts';
import type { DockerContext } from './docker-context.ts';
import { execInContainer } from './exec-in-container.ts';
import { findImage, listImages, removeImage } from './images.ts';
import { inspectContainer, listContainers } from './inspect-container.ts';
import { createNetwork, inspectNetwork, listNetworks, removeNetwork } from './networks.ts';
import { pullImage } from './pull-image.ts';
import { removeContainer, startContainer, stopContainer } from './run-container.ts';
import { watchContainers } from './watch-containers.ts';

/**
 * The engine behind a client of the Docker API (Docker, and Podman's compatible service).
 *
 * @param docker a client of it
 * @param address where it is, for messages
 * @param findCredentials credentials for the registry of an image; without it images are pulled anonymously
 */
export function createDockerEngine(
  docker: Dockerode,
  address: string,
  findCredentials: FindCredentials = async () => undefined,
): Engine {
  const context: DockerContext = { docker, address, findCredentials };
  return {
    address,
    describe: () => describeEngine(context),
    findImage: (reference) => findImage(context, reference),
    pullImage: (reference, onProgress, signal) => pullImage(context, reference, onProgress, signal),
    buildImage: (options, onProgress, signal) => buildImage(context, options, onProgress, signal),
    listImages: (label) => listImages(context, label),
    removeImage: (id) => removeImage(context, id),
    createContainer: (spec) => createContainer(context, spec),
    startContainer: (id) => startContainer(context, id),
    stopContainer: (id, graceSeconds) => stopContainer(context, id, graceSeconds),
    removeContainer: (id) => removeContainer(context, id),
    inspectContainer: (idOrName) => inspectContainer(context, idOrName),
    listContainers: (labels) => listContainers(context, labels),
    attachContainer: (id) => attachContainer(context, id),
    waitForContainer: (id) => waitForContainer(context, id),
    copyFromContainer: (id, path) => copyFromContainer(context, id, path),
    readLogs: (id, tail) => readLogs(context, id, tail),
    followLogs: (id, options) => followLogs(context, id, options),
    execInContainer: (id, command) => execInContainer(context, id, command),
    createNetwork: (spec) => createNetwork(context, spec),
    inspectNetwork: (name) => inspectNetwork(context, name),
    listNetworks: (labels) => listNetworks(context, labels),
    removeNetwork: (name) => removeNetwork(context, name),
    watchContainers: (label, handlers) => watchContainers(context, label, handlers),
  };
}
