import { BerthCommand } from '../berth-command.ts';
import { findUserDirectories } from '../user-directories.ts';
import { createPasswordPrompt } from './ask-hidden.ts';
import { openSecretStore } from './open-secret-store.ts';
import type { SecretStore } from './secret-store.ts';

/** What the commands about secrets share: the store of the user. */
export abstract class SecretCommand extends BerthCommand {
  protected openStore(): Promise<SecretStore> {
    const { env } = this.context;
    return openSecretStore({
      directories: findUserDirectories(env),
      env,
      askPassword: createPasswordPrompt(this.context),
    });
  }
}
