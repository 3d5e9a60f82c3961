import { createHash } from 'node:crypto';
import { BerthError } from '../../sources/errors.ts';
import { type Engine, type EngineProgress, type ImageInfo, LABELS } from '../engine/engine.ts';
import type { BuildPlan } from './build-plan.ts';
import { buildWithCredentials } from './build-with-credentials.ts';
import { joinStages } from './dockerfile.ts';
import { explainBuildFailure } from './explain-build-failure.ts';
import { packContext } from './pack-context.ts';

export interface BuiltImage {
  readonly image: ImageInfo;
  /** `berth/<scheme>-<name>:<hash>`. */
  readonly tag: string;
  /** True when it was there already. */
  readonly reused: boolean;
}

/**
 * Builds an image, unless one of exactly the same inputs is there. Base images are pulled when they are missing.
 *
 * @throws BerthError `build_failed` naming the package and why; leaves no container behind
 */
export async function ensureBuilt(
  engine: Engine,
  plan: BuildPlan,
  onProgress: (progress: EngineProgress) => void,
  signal?: AbortSignal,
): Promise<BuiltImage> {
  const hash = createHash('sha256').update(plan.fingerprint);
  for (const reference of plan.baseImages) {
    const base =
      (await engine.findImage(reference)) ?? (await engine.pullImage(reference, onProgress, signal));
    hash.update(base.id);
  }
  const inputs = hash.digest('hex');
  const tag = `${plan.repository}:${inputs.slice(0, 16)}`;
  const labels = { [LABELS.managed]: 'true', [LABELS.build]: inputs };
  const known = await engine.findImage(tag);
  if (known?.labels[LABELS.build] === inputs) return { image: known, tag, reused: true };
  const report = (progress: EngineProgress): void => {
    const { done, total } = progress;
    onProgress({
      text: `Building ${plan.title}`,
      ...(done !== undefined && { done }),
      ...(total !== undefined && { total }),
    });
  };
  report({ text: '' });
  try {
    const { env, authFiles, proxies } = plan.settings;
    const needsCredentials = Object.keys(env).length > 0 || Object.keys(authFiles).length > 0;
    const image = needsCredentials
      ? await buildWithCredentials(engine, plan, { tag, labels }, report, signal)
      : await engine.buildImage(
          {
            context: packContext(joinStages(plan.stages), plan.files),
            tag,
            labels,
            ...(proxies && { buildArgs: proxies }),
          },
          report,
          signal,
        );
    return { image, tag, reused: false };
  } catch (error) {
    if (error instanceof BerthError && error.code === 'engine_build_failed') {
      throw explainBuildFailure(plan.title, error.message, error);
    }
    throw error;
  }
}
