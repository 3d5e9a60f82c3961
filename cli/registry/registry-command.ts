import { resolve } from 'node:path';
import { Option } from 'clipanion';
import { BerthCommand } from '../berth-command.ts';
import { openConfiguredRegistry } from './open-configured-registry.ts';
import type { RegistryClient } from './registry-client.ts';

/** What the commands that look into the configured registry share. */
export abstract class RegistryCommand extends BerthCommand {
  caBundle = Option.String('--berth-ca-bundle', {
    description: 'PEM file with certificate authorities to trust',
  });

  protected openRegistry(): Promise<RegistryClient> {
    const { env, stdin, stderr } = this.context;
    const caBundle = this.caBundle === undefined ? undefined : resolve(this.caBundle);
    return openConfiguredRegistry({ env, stdin, stderr, caBundle });
  }
}
