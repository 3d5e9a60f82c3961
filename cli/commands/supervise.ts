import { Command, Option } from 'clipanion';
import { describeCommand } from '../command-table.ts';
import { reportToParent } from '../workloads/report-to-parent.ts';
import { WorkloadCommand } from '../workloads/workload-command.ts';

export class SuperviseCommand extends WorkloadCommand {
  static override paths = [['supervise']];
  static override usage = Command.Usage({
    ...describeCommand('supervise'),
    details: 'Started by run, start and restart; not meant to be called.',
    examples: [['What run starts', '$0 supervise fetch']],
  });

  name = Option.String({ name: 'NAME' });
  timeout = Option.String('--timeout', '300000', {
    description: 'milliseconds the server may take to answer',
  });
  discard = Option.Boolean('--discard', false, {
    description: 'forget the workload when it cannot be started',
  });

  async execute(): Promise<number> {
    const { superviseDetached } = await import('../workloads/supervise-detached.ts');
    return superviseDetached({
      name: this.name,
      timeoutMs: Number(this.timeout),
      discard: this.discard,
      store: this.openStore(),
      directories: this.directories,
      env: this.context.env,
      parent: reportToParent(process),
    });
  }
}
