import { BerthCommand } from '../berth-command.ts';
import type { Engine } from '../engine/engine.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { findUserDirectories, type UserDirectories } from '../user-directories.ts';
import { GroupStore } from './group-store.ts';
import { findWorkloadPaths } from './workload-paths.ts';
import { WorkloadStore } from './workload-store.ts';

/** What the commands about workloads share: where everything of this user is. */
export abstract class WorkloadCommand extends BerthCommand {
  protected get directories(): UserDirectories {
    return findUserDirectories(this.context.env);
  }

  protected openStore(): WorkloadStore {
    return new WorkloadStore(findWorkloadPaths(this.directories));
  }

  protected openGroups(): GroupStore {
    return new GroupStore(findWorkloadPaths(this.directories));
  }

  #engine: Promise<Engine> | undefined;
  #secrets: Promise<SecretStore> | undefined;

  /** Looked for once, and only when it is needed. */
  protected findEngine(): Promise<Engine> {
    this.#engine ??= import('../engine/find-engine.ts').then(({ findEngine }) =>
      findEngine(this.context.env, { home: this.directories.home }),
    );
    return this.#engine;
  }

  /** Opened once, so that a password is asked for once. */
  protected openSecrets(): Promise<SecretStore> {
    this.#secrets ??= this.#openSecrets();
    return this.#secrets;
  }

  async #openSecrets(): Promise<SecretStore> {
    const { openSecretStore } = await import('../secrets/open-secret-store.ts');
    const { createPasswordPrompt } = await import('../secrets/ask-hidden.ts');
    const { env } = this.context;
    const askPassword = createPasswordPrompt(this.context);
    return openSecretStore({ directories: this.directories, env, askPassword });
  }

  /** One line to the person, never to a program that reads the output. */
  protected warn(line: string): void {
    this.context.stderr.write(`${line}\n`);
  }
}
