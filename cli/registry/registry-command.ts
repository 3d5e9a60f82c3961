import { resolve } from 'node:path';
import { Option } from 'clipanion';
import { SecretCommand } from '../secrets/secret-command.ts';
import { findUserDirectories } from '../user-directories.ts';
import { openUserRegistry } from '../workloads/open-user-registry.ts';
import type { RegistryClient } from './registry-client.ts';

/** What the commands that look into the configured registry share. */
export abstract class RegistryCommand extends SecretCommand {
  caBundle = Option.String('--berth-ca-bundle', {
    description: 'PEM file with certificate authorities to trust',
  });

  protected openRegistry(): Promise<RegistryClient> {
    let store: ReturnType<typeof this.openStore> | undefined;
    const openSecrets = () => {
      store ??= this.openStore();
      return store;
    };
    const caBundle = this.caBundle === undefined ? undefined : resolve(this.caBundle);
    return openUserRegistry(findUserDirectories(this.context.env), openSecrets, caBundle);
  }
}
