import { BerthError } from '../../sources/errors.ts';
import type { Engine, EngineProgress } from '../engine/engine.ts';
import { createFindCredentials } from '../engine/registry/find-credentials.ts';
import { registryHostOf } from '../engine/registry/registry-host.ts';
import { readCaBundle } from '../read-ca-bundle.ts';
import type { Plan, ProtocolServer } from '../run/plan.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { readSettings } from '../settings/read-settings.ts';
import { settingsFile } from '../settings/settings.ts';
import type { UserDirectories } from '../user-directories.ts';
import { findPlanProblem, reportProblem, type VerifyDeps, verifyImage } from '../verify/verify-image.ts';
import { prepareImage } from './prepare-image.ts';
import { findWorkloadPaths } from './workload-paths.ts';

export interface PrepareOptions {
  /** Called only for servers that run in a container. */
  readonly findEngine: () => Promise<Engine>;
  readonly directories: UserDirectories;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly openSecrets: () => Promise<SecretStore>;
  /** A step begins, or comes further. */
  readonly onProgress: (progress: EngineProgress) => void;
  readonly onWarning: (line: string) => void;
  /** Whether a person sits in front of this process. */
  readonly isTerminal: boolean;
  readonly showLink: (url: string, opensBrowser: boolean) => void;
  /** Said when neither the engine nor a registry has the image: what the registry of servers answered to that word. */
  readonly onImageMissing?: ((imageAnswer: string) => BerthError) | undefined;
  /** Id of the image that ran before; taken again when it is still there. */
  readonly previousImageId?: string | undefined;
}

/** What the caller's terminal made ready for the supervisor. */
export interface Prepared {
  /** Id of exactly the image that was verified; undefined for a remote server. */
  readonly imageId: string | undefined;
}

/**
 * Makes everything ready that may take long or ask something: image (verified, pulled or built) or login at a remote
 * server. Runs in the process of the user, whose terminal it may use; starts nothing.
 *
 * @throws BerthError `engine_*`, `build_*`, and of verification and login
 */
export async function prepareWorkload(plan: Plan, options: PrepareOptions): Promise<Prepared> {
  if (plan.server.kind === 'remote') {
    await prepareLogin(plan, options);
    return { imageId: undefined };
  }
  const engine = await options.findEngine();
  const { previousImageId } = options;
  if (previousImageId !== undefined && (await engine.findImage(previousImageId)) !== undefined) {
    return { imageId: previousImageId };
  }
  const { onProgress, onWarning, signal } = options;
  // What can be known without the image is said, or refused, before it is pulled or built.
  const unverifiable = findPlanProblem(plan);
  if (unverifiable !== undefined) reportProblem(plan, unverifiable, onWarning);
  if (plan.server.kind === 'protocol') return { imageId: await buildImage(plan.server, engine, options) };
  try {
    const image = await prepareImage(engine, plan.server.image, { onProgress, onWarning, signal });
    if (unverifiable === undefined && plan.imageVerification !== 'disabled') {
      onProgress({ text: `Verifying ${plan.server.image}` });
      const problem = await verifyImage(plan, image, createVerifyDeps(plan, options));
      if (problem !== undefined) reportProblem(plan, problem, onWarning);
    }
    return { imageId: image.id };
  } catch (error) {
    const isMissing = error instanceof BerthError && error.code !== 'image_unverified';
    if (options.onImageMissing && isMissing && !signal.aborted) {
      throw options.onImageMissing(error.message);
    }
    throw error;
  }
}

function createVerifyDeps(plan: Plan, { directories, env }: PrepareOptions): VerifyDeps {
  const find = createFindCredentials(env, directories.home);
  const image = plan.server.kind === 'image' ? plan.server.image : '';
  return {
    directories,
    env,
    now: Date.now,
    ca: readCaBundle(plan.caBundle),
    credentials: () => find(registryHostOf(image)),
  };
}

async function buildImage(
  server: ProtocolServer,
  engine: Engine,
  { directories, env, openSecrets, onProgress, signal }: PrepareOptions,
): Promise<string> {
  const { planBuild } = await import('../build/plan-build.ts');
  const { ensureBuilt } = await import('../build/ensure-built.ts');
  const { readBuildSettings } = await import('./read-build-settings.ts');
  const { settings, caCert } = await readBuildSettings(directories, env, openSecrets);
  const trusting = server.caCert === undefined && caCert !== undefined ? { ...server, caCert } : server;
  const { image } = await ensureBuilt(engine, await planBuild(trusting, settings), onProgress, signal);
  const { changeBuiltImages } = await import('./built-images.ts');
  await changeBuiltImages(findWorkloadPaths(directories), (ids) => [...ids, image.id]);
  return image.id;
}

async function prepareLogin(
  plan: Plan,
  { directories, openSecrets, isTerminal, showLink, signal }: PrepareOptions,
): Promise<void> {
  if (plan.remoteAuth?.enabled !== true || plan.remoteAuth.bearerToken !== undefined) return;
  const { 'client-metadata-url': clientMetadataUrl } = await readSettings(settingsFile(directories));
  const { prepareRemoteLogin } = await import('../remote/prepare-remote-login.ts');
  await prepareRemoteLogin(plan, {
    secrets: await openSecrets(),
    isTerminal,
    clientMetadataUrl,
    showLink,
    signal,
  });
}
