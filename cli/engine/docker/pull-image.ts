import { Readable } from 'node:stream';
import { BerthError } from '../../../sources/errors.ts';
import type { EngineProgress, ImageInfo } from '../engine.ts';
import { explainFailure, statusOf, textOf } from '../engine-failure.ts';
import { registryHostOf } from '../registry/registry-host.ts';
import type { DockerContext } from './docker-context.ts';
import { findImage } from './images.ts';
import { explainPullFailure } from './pull-failure.ts';
import { PullProgress } from './pull-progress.ts';
import { readJsonLines } from './read-json-lines.ts';

export async function pullImage(
  context: DockerContext,
  reference: string,
  onProgress: (progress: EngineProgress) => void,
  signal?: AbortSignal,
): Promise<ImageInfo> {
  const authconfig = await context.findCredentials(registryHostOf(reference));
  onProgress({ text: `Pulling ${reference}` });
  const progress = new PullProgress(reference);
  try {
    const stream = await context.docker.pull(reference, {
      ...(authconfig && { authconfig }),
      ...(signal && { abortSignal: signal }),
    });
    for await (const message of readJsonLines(Readable.from(stream))) {
      const failure = message.errorDetail?.message ?? message.error;
      if (failure !== undefined) throw explainPullFailure(reference, failure, undefined);
      const now = progress.add(message);
      if (now) onProgress(now);
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof BerthError) throw error;
    if (statusOf(error) !== undefined) throw explainPullFailure(reference, textOf(error), error);
    throw explainFailure(error, `pull ${reference}`, context.address);
  }
  const image = await findImage(context, reference);
  if (!image) {
    throw new BerthError(
      'engine_pull_failed',
      `Image ${reference} was pulled, but the container engine does not have it.`,
    );
  }
  return image;
}
