import { BerthError, messageOf } from '../../sources/errors.ts';
import type { Engine, EngineProgress, ImageInfo } from '../engine/engine.ts';

export interface ImageOptions {
  readonly onProgress: (progress: EngineProgress) => void;
  readonly onWarning: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Finds an image: locally first for a fixed tag or digest; `latest` or no tag is pulled, with the local copy as
 * fallback and one line of warning (contract 2).
 *
 * @throws BerthError of the engine: `engine_image_not_found`, `engine_pull_failed`
 */
export async function prepareImage(
  engine: Engine,
  reference: string,
  { onProgress, onWarning, signal }: ImageOptions,
): Promise<ImageInfo> {
  if (!isMoving(reference)) {
    return (await engine.findImage(reference)) ?? (await engine.pullImage(reference, onProgress, signal));
  }
  try {
    return await engine.pullImage(reference, onProgress, signal);
  } catch (error) {
    signal.throwIfAborted();
    const local = await engine.findImage(reference);
    if (local === undefined) throw error;
    const why = error instanceof BerthError ? error.message : messageOf(error);
    onWarning(`Using the local copy of ${reference}, because it could not be pulled: ${firstLine(why)}`);
    return local;
  }
}

/** Whether a reference means another image from time to time: tag `latest`, or none. */
export function isMoving(reference: string): boolean {
  if (reference.includes('@')) return false;
  const last = reference.slice(reference.lastIndexOf('/') + 1);
  const colon = last.indexOf(':');
  return colon < 0 || last.slice(colon + 1) === 'latest';
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
