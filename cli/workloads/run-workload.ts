import type { BerthError } from '../../sources/errors.ts';
import type { Engine } from '../engine/engine.ts';
import { nameWorkloadGrant } from '../remote/grant.ts';
import type { Plan } from '../run/plan.ts';
import { type GivenSecrets, referToSecrets } from '../run/store-given-secrets.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { UserDirectories } from '../user-directories.ts';
import { checkPortFree } from './check-port-free.ts';
import { SYSTEM_CLOCK } from './clock.ts';
import { describeIsolation } from './describe-isolation.ts';
import { describePackage } from './describe-package.ts';
import type { GroupStore } from './group-store.ts';
import { hasCode } from './has-code.ts';
import { launchSupervisor } from './launch-supervisor.ts';
import { openParts } from './open-parts.ts';
import { prepareWorkload } from './prepare-workload.ts';
import { identifyProcess } from './process-identity.ts';
import { readLastLines } from './read-last-lines.ts';
import { createRemoveContext } from './remove-context.ts';
import { removeWorkload } from './remove-workload.ts';
import { requireSecrets } from './require-secrets.ts';
import { requireWorkload } from './require-workload.ts';
import { StartFailure } from './start-failure.ts';
import type { StartSteps } from './start-steps.ts';
import { type SupervisedEnd, superviseWorkload } from './supervise-workload.ts';
import type { WorkloadState } from './workload-state.ts';
import type { WorkloadStore } from './workload-store.ts';

/** Nobody runs more of one server without naming them. */
const MAX_NUMBER = 999;

export interface RunContext {
  readonly store: WorkloadStore;
  readonly groups: GroupStore;
  readonly directories: UserDirectories;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly findEngine: () => Promise<Engine>;
  /** Always the same store, so that a password is asked for once. */
  readonly openSecrets: () => Promise<SecretStore>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly steps: StartSteps;
  readonly onImageMissing?: ((imageAnswer: string) => BerthError) | undefined;
}

export interface RunInput {
  readonly plan: Plan;
  /** True when the name was made from the server: another is taken when it is in use. */
  readonly nameIsDerived: boolean;
  /** Secret values that came by flag, file or prompt. */
  readonly given: GivenSecrets;
}

/**
 * Runs a new workload in a process of its own. Returns when its server answers.
 * @throws StartFailure and BerthError of what cannot be done; nothing of the workload is left then
 */
export async function runDetached(input: RunInput, context: RunContext): Promise<WorkloadState> {
  const { store, steps, timeoutMs, signal, env } = context;
  return withNewWorkload(input, context, async (name) => {
    const { passwordForChild } = await import('../secrets/open-secret-store.ts');
    const password = passwordForChild(await context.openSecrets());
    await launchSupervisor({
      name,
      timeoutMs,
      discard: true,
      env: { ...env, ...(password === undefined ? {} : { BERTH_SECRETS_PASSWORD: password }) },
      signal,
      onProgress: (text) => steps.show({ text }),
      onNote: steps.warn,
    });
    return requireWorkload(store, name);
  });
}

/**
 * Runs a new workload in this process until its server ends or the signal is aborted, and removes it then.
 * @throws StartFailure and BerthError of what cannot be done; nothing of the workload is left then
 */
export async function runForeground(
  input: RunInput,
  context: RunContext,
  onReady: (state: WorkloadState) => void,
): Promise<SupervisedEnd & { readonly logTail: string }> {
  const { store, directories, env, findEngine, openSecrets, timeoutMs, signal, steps } = context;
  return withNewWorkload(input, context, async (name) => {
    try {
      const end = await superviseWorkload({
        name,
        store,
        clock: SYSTEM_CLOCK,
        signal,
        restarts: false,
        openParts: (state, until) => {
          const { paths } = store;
          const clock = SYSTEM_CLOCK;
          return openParts(
            state,
            { directories, paths, env, clock, timeoutMs, findEngine, openSecrets },
            until,
          );
        },
        onReady: (state) => {
          steps.end();
          onReady(state);
        },
      });
      const logTail = await readLastLines(store.paths.serverLog(name));
      await discard(context, name);
      return { ...end, logTail };
    } catch (error) {
      throw await withLastLines(error, context, name);
    }
  });
}

/** Takes the name, makes everything ready, and takes it all back when something fails. */
async function withNewWorkload<T>(
  input: RunInput,
  context: RunContext,
  start: (name: string) => Promise<T>,
): Promise<T> {
  const { store, groups, steps, signal } = context;
  await groups.require(input.plan.group);
  signal.throwIfAborted();
  const { plan, values } = await reserveName(input, store);
  const { name } = plan;
  const stored: string[] = [];
  try {
    await storeSecrets(values, input.given.copies, context, stored);
    if (plan.remoteAuth?.enabled === true) stored.push(nameWorkloadGrant(name));
    await makeReady(plan, context);
    steps.show({ text: `Starting ${name}` });
    return await start(name);
  } catch (error) {
    steps.end();
    await discard(context, name, true);
    if (stored.length > 0) await forgetSecrets(stored, context);
    throw signal.aborted ? signal.reason : error;
  } finally {
    steps.end();
  }
}

/** Writes the first state of a workload, under its name or the next that is free. */
async function reserveName(
  { plan, given, nameIsDerived }: RunInput,
  store: WorkloadStore,
): Promise<ReturnType<typeof referToSecrets>> {
  for (let number = 1; ; number++) {
    const named = number === 1 ? plan : { ...plan, name: `${plan.name.slice(0, 95)}-${number}` };
    const referring = referToSecrets(named, given);
    const now = new Date().toISOString();
    try {
      await store.reserve({
        stateVersion: 1,
        plan: referring.plan,
        status: 'starting',
        created: now,
        updated: now,
        package: describePackage(plan),
        isolation: describeIsolation(plan),
        supervisor: identifyProcess(),
        restarts: 0,
      });
      return referring;
    } catch (error) {
      if (!nameIsDerived || number >= MAX_NUMBER || !hasCode(error, 'workload_exists')) throw error;
    }
  }
}

/**
 * Keeps what was given, and copies of what belonged to another workload; one that is set already stays.
 * @param stored gets the names that were not there before
 */
async function storeSecrets(
  values: ReadonlyMap<string, string>,
  copies: ReadonlyMap<string, string> = new Map(),
  { openSecrets }: RunContext,
  stored: string[],
): Promise<void> {
  if (values.size + copies.size === 0) return;
  const secrets = await openSecrets();
  for (const [secret, value] of values) {
    stored.push(secret);
    await secrets.set(secret, value);
  }
  for (const [secret, former] of copies) {
    const value = await secrets.get(former);
    if (value === undefined || (await secrets.get(secret)) !== undefined) continue;
    stored.push(secret);
    await secrets.set(secret, value);
  }
}

async function forgetSecrets(names: readonly string[], { openSecrets }: RunContext): Promise<void> {
  const secrets = await openSecrets();
  for (const name of names) await secrets.remove(name);
}

/** Everything that can fail or ask before something runs. */
async function makeReady(plan: Plan, context: RunContext): Promise<void> {
  const { store, openSecrets, steps, signal } = context;
  await requireSecrets(plan, openSecrets);
  if (plan.proxy.port !== undefined) await checkPortFree(plan.proxy.host, plan.proxy.port);
  await checkMounts(plan, context);
  const { imageId } = await prepareWorkload(plan, {
    ...context,
    onProgress: steps.show,
    onWarning: steps.warn,
    isTerminal: steps.isTerminal,
    showLink: steps.showLink,
  });
  if (imageId !== undefined) await store.update(plan.name, (before) => ({ ...before, imageId }));
  signal.throwIfAborted();
}

/** Refuses mounts that cannot be, and says what is covered, in the terminal of the user. */
async function checkMounts(plan: Plan, { store, directories, steps }: RunContext): Promise<void> {
  const { volumes, profile, ignore, server } = plan;
  if (server.kind === 'remote' || volumes.length + profile.read.length + profile.write.length === 0) return;
  const { resolveMounts } = await import('../isolation/resolve-mounts.ts');
  const { overlays, warnings } = await resolveMounts(plan, {
    cwd: process.cwd(),
    configDirectory: directories.config,
    runtimeDirectory: store.paths.runtime(plan.name),
  });
  for (const warning of warnings) steps.warn(warning);
  if (!ignore.printOverlays) return;
  for (const { kind, target } of overlays) steps.warn(`overlay (${kind}): ${target}`);
}

/** An engine that cannot be found has nothing of it, or is out of reach: the error that led here says so. */
async function discard(context: RunContext, name: string, keepsSecrets = false): Promise<void> {
  const findEngine = () => context.findEngine().catch(() => undefined);
  await removeWorkload(createRemoveContext({ ...context, findEngine, keepsSecrets }), name);
}

async function withLastLines(error: unknown, { store }: RunContext, name: string): Promise<unknown> {
  const { BerthError } = await import('../../sources/errors.ts');
  if (!(error instanceof BerthError)) return error;
  return new StartFailure(error, await readLastLines(store.paths.serverLog(name)));
}
