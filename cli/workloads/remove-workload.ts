import { BerthError } from '../../sources/errors.ts';
import { nameWorkloadGrant } from '../remote/grant.ts';
import { isSystemSecret, type SecretStore, SYSTEM_PREFIX } from '../secrets/secret-store.ts';
import { cleanEngine } from './clean-engine.ts';
import { endSupervisor, type StopContext } from './stop-workload.ts';
import type { WorkloadState } from './workload-state.ts';

export interface RemoveContext extends StopContext {
  /** Called only when the workload has secrets of its own. */
  readonly openSecrets: () => Promise<SecretStore>;
  /** Leaves the secrets of the workload: who began to run it knows which were there before. */
  readonly keepsSecrets?: boolean;
  /** Takes the workload out of the configuration of AI clients. Answers warnings. */
  readonly removeFromClients: (name: string) => Promise<readonly string[]>;
}

/**
 * Removes a workload, running or not, and everything of it: processes, containers, networks, secrets that were given
 * by flags, entries in AI clients, logs, state.
 *
 * @returns warnings of one line each
 * @throws BerthError `supervisor_stuck`, or of the engine when something is left that cannot be reached
 */
export async function removeWorkload(context: RemoveContext, name: string): Promise<readonly string[]> {
  const { store } = context;
  const state = await store.read(name).catch((error: unknown) => {
    // A state that cannot be read is removed like any other, as far as its name leads.
    if (error instanceof BerthError && error.code === 'state_corrupt') return undefined;
    throw error;
  });
  if (state === undefined) await removeUnreadable(context, name);
  else await removeReadable(context, state);
  const warnings = await context.removeFromClients(name);
  await store.remove(name);
  return warnings;
}

async function removeReadable(context: RemoveContext, state: WorkloadState): Promise<void> {
  const { store, findEngine, openSecrets } = context;
  const { name, server } = state.plan;
  const removing = await store.update(name, (before) => ({ ...before, status: 'removing' }));
  await endSupervisor(context, removing ?? state);
  if (server.kind !== 'remote') await cleanEngine(await findEngine(), store.paths.owner, name);
  if (context.keepsSecrets === true) return;
  const prefix = `${SYSTEM_PREFIX}${name}.`;
  // An exported file may refer to those of another workload.
  const own = listSystemSecrets(state.plan).filter((secret) => secret.startsWith(prefix));
  if (state.plan.remoteAuth?.enabled === true) own.push(nameWorkloadGrant(name));
  if (own.length === 0) return;
  const secrets = await openSecrets();
  for (const secret of own) await secrets.remove(secret);
}

async function removeUnreadable({ store, findEngine }: RemoveContext, name: string): Promise<void> {
  const engine = await findEngine().catch(() => undefined);
  await cleanEngine(engine, store.paths.owner, name);
}

/** Names of secrets anywhere in a plan: it holds no other strings that begin like them. */
function listSystemSecrets(value: unknown): readonly string[] {
  if (typeof value === 'string') return isSystemSecret(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return [...new Set(Object.values(value).flatMap(listSystemSecrets))];
}
