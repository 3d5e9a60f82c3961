import { Command, Option } from 'clipanion';
import { createLog } from '../../server/observe/log.ts';
import { openStore } from '../../server/overlay/open-store.ts';
import { loadConfig } from '../../sources/config/load-config.ts';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { configOption, formatOption, readFormat } from '../common-options.ts';
import { countWords } from '../format-numbers.ts';
import { type ImportReport, importLines } from '../overlay/import-lines.ts';
import { readFileLines } from '../overlay/read-file-lines.ts';
import { showText } from '../show-text.ts';

const FORMATS = ['text', 'json'] as const;

export class OverlayImportCommand extends BerthCommand {
  static override paths = [['overlay', 'import']];
  static override usage = Command.Usage({
    ...describeCommand('overlay import'),
    details: `
      Into the store of the configuration, beside what it holds: nothing there is changed or removed, and the same file
      again changes nothing. A line that contradicts the store is reported and left out, and the exit code is 1. With
      SQLite the service must be stopped first; with PostgreSQL replicas may run, and serve what is imported at once.
    `,
    examples: [
      ['Restore a backup', '$0 overlay import overlay.jsonl'],
      ['Move to PostgreSQL', '$0 overlay import overlay.jsonl --config postgres.config.yaml'],
    ],
  });

  file = Option.String({ name: 'FILE' });
  config = configOption();
  format = formatOption(FORMATS);

  async execute(): Promise<number> {
    const format = readFormat(this.format, FORMATS);
    const loaded = await loadConfig(this.config, { env: this.context.env });
    const store = await openStore(loaded, createLog({ level: 'silent' }));
    try {
      const report = await importLines(readFileLines(this.file), store, loaded);
      if (format === 'json') this.printJson(report);
      else this.print(this.#describe(report));
      return report.refused.length > 0 ? 1 : 0;
    } finally {
      await store.close();
    }
  }

  #describe({ imported, unchanged, refused, unserved }: ImportReport): string[] {
    return [
      ...refused.map(({ line, reason }) => showText(`${this.file}:${line}: ${reason}`)),
      ...unserved.map((name) =>
        showText(
          `No managed source is called ${name}: its entries are kept, and served once the configuration has it.`,
        ),
      ),
      `Imported ${countWords(imported, 'line')}; ${unchanged} were there already, ${refused.length} refused.`,
    ];
  }
}
