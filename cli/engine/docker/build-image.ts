import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { BerthError } from '../../../sources/errors.ts';
import type { Engine, EngineProgress, ImageInfo } from '../engine.ts';
import { explainFailure } from '../engine-failure.ts';
import type { DockerContext } from './docker-context.ts';
import { findImage } from './images.ts';
import { readJsonLines } from './read-json-lines.ts';

/** Lines of a failed build that its error shows. */
const SHOWN_LINES = 15;
const KEPT_CHARACTERS = 20_000;

/** Builds with the classic builder, the one Docker of every age and Podman have; intermediate containers go whatever happens. */
export async function buildImage(
  context: DockerContext,
  options: Parameters<Engine['buildImage']>[0],
  onProgress: (progress: EngineProgress) => void,
  signal?: AbortSignal,
): Promise<ImageInfo> {
  let log = '';
  try {
    const stream = await context.docker.buildImage(options.context, {
      t: options.tag,
      labels: { ...options.labels },
      ...(options.buildArgs && { buildargs: { ...options.buildArgs } }),
      rm: true,
      forcerm: true,
      ...(signal && { abortSignal: signal }),
    });
    for await (const message of readJsonLines(Readable.from(stream))) {
      log = (log + (message.stream ?? '')).slice(-KEPT_CHARACTERS);
      const failure = message.errorDetail?.message ?? message.error;
      if (failure !== undefined) throw explainBuildFailure(options.tag, log, failure);
      const step = /^(?:Step|STEP) (\d+)\/(\d+) ?: ?(.*)/.exec(message.stream ?? '');
      if (step) {
        onProgress({
          text: `Building ${options.tag}: ${(step[3] ?? '').split('\n')[0]}`,
          done: Number(step[1]),
          total: Number(step[2]),
        });
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw explainFailure(error, `build ${options.tag}`, context.address);
  } finally {
    // An engine that refuses early reads no further.
    options.context.destroy();
  }
  const image = await findImage(context, options.tag);
  if (!image) throw explainBuildFailure(options.tag, log, 'the build ended without an image');
  return image;
}

function explainBuildFailure(tag: string, log: string, failure: string): BerthError {
  const lines = stripVTControlCharacters(log)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !/^(Step \d+\/| ---> |Removing intermediate container)/.test(line))
    .slice(-SHOWN_LINES);
  return new BerthError(
    'engine_build_failed',
    [`Image ${tag} could not be built: ${failure}`, ...lines].join('\n'),
  );
}
