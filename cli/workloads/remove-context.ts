import type { Engine } from '../engine/engine.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { UserDirectories } from '../user-directories.ts';
import type { RemoveContext } from './remove-workload.ts';
import type { WorkloadStore } from './workload-store.ts';

export interface RemoveParts {
  readonly store: WorkloadStore;
  readonly directories: UserDirectories;
  /** Answers undefined when what was in an engine that is away may stay there. */
  readonly findEngine: () => Promise<Engine | undefined>;
  readonly openSecrets: () => Promise<SecretStore>;
  readonly keepsSecrets?: boolean;
}

/** What removing a workload needs, loaded when it does. */
export function createRemoveContext({
  store,
  directories,
  findEngine,
  openSecrets,
  keepsSecrets = false,
}: RemoveParts): RemoveContext {
  return {
    store,
    findEngine,
    openSecrets,
    keepsSecrets,
    async removeFromClients(name) {
      const { removeFromClients } = await import('../clients/update-clients.ts');
      return removeFromClients(directories, name);
    },
  };
}
