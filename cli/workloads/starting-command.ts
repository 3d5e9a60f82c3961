import { Option } from 'clipanion';
import { readDuration } from '../run/flags/read-values.ts';
import { listenForInterruption } from './interruption.ts';
import { ManyWorkloadsCommand } from './many-workloads-command.ts';
import { createStartSteps } from './start-steps.ts';
import type { StartOptions } from './start-workload.ts';

const DETACH_TIMEOUT_MS = 300_000;

/** What start and restart share. */
export abstract class StartingCommand extends ManyWorkloadsCommand {
  detachTimeout = Option.String('--detach-timeout', {
    description: 'how long to wait until a server answers (default: 5m)',
  });

  /** @throws UsageError for a time-out that is none */
  protected startOptions(): StartOptions {
    const timeoutMs = readDuration('--detach-timeout', this.detachTimeout) ?? DETACH_TIMEOUT_MS;
    return {
      store: this.openStore(),
      directories: this.directories,
      env: this.context.env,
      findEngine: () => this.findEngine(),
      openSecrets: () => this.openSecrets(),
      timeoutMs,
      signal: listenForInterruption(process),
      steps: createStartSteps(this.context.stderr),
    };
  }
}
