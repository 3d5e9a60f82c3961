import { Command, Option } from 'clipanion';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';
import { describeClientEntry } from '../workloads/describe-client-entry.ts';
import { requireWorkload } from '../workloads/require-workload.ts';
import { WorkloadCommand } from '../workloads/workload-command.ts';
import type { WorkloadState } from '../workloads/workload-state.ts';
import { writeExport } from '../workloads/write-export.ts';

const FORMATS = ['json', 'mcpServers'] as const;

export class ExportCommand extends WorkloadCommand {
  static override paths = [['export']];
  static override usage = Command.Usage({
    ...describeCommand('export'),
    details: `
      json is everything run decided, to be read with run --from-config; secrets are in it by name only. mcpServers is
      the piece of configuration an AI client wants.
    `,
    examples: [
      ['To standard output', '$0 export fetch'],
      ['Run it elsewhere', '$0 export fetch fetch.json && berth run --from-config fetch.json'],
      ['For an AI client', '$0 export fetch --format mcpServers'],
    ],
  });

  name = Option.String({ name: 'NAME' });
  file = Option.String({ name: 'PATH', required: false });
  format = formatOption(FORMATS);

  async execute(): Promise<number> {
    const format = readFormat(this.format, FORMATS);
    const state = await requireWorkload(this.openStore(), this.name);
    const text =
      format === 'json'
        ? (await import('../run/exported-plan.ts')).exportPlan(state)
        : printClientEntry(state);
    if (this.file === undefined) this.context.stdout.write(text);
    else await writeExport(this.file, text);
    return 0;
  }
}

function printClientEntry(state: WorkloadState): string {
  const mcpServers = { [state.plan.name]: describeClientEntry(state) };
  return `${JSON.stringify({ mcpServers }, null, 2)}\n`;
}
