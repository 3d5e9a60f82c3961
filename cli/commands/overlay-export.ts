import { Command, Option } from 'clipanion';
import { loadConfig } from '../../sources/config/load-config.ts';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { configOption } from '../common-options.ts';
import { countWords } from '../format-numbers.ts';
import { readOverlay } from '../overlay/read-overlay.ts';
import { writeLines } from '../overlay/write-lines.ts';
import { writePrivateFile } from '../overlay/write-private-file.ts';

export class OverlayExportCommand extends BerthCommand {
  static override paths = [['overlay', 'export']];
  static override usage = Command.Usage({
    ...describeCommand('overlay export'),
    details: `
      Everything of the writable overlay, from SQLite or PostgreSQL as the configuration says: entries with their
      versions, claims, times and statuses. Works while the service runs. Secrets are not in it: sources name the files
      that hold them, and credentials written into an address are left out.
    `,
    examples: [
      ['A backup', '$0 overlay export --out overlay.jsonl'],
      ['The names of what was published', "$0 overlay export | jq -r '.entry.name // empty'"],
    ],
  });

  config = configOption();
  out = Option.String('--out', { description: 'the file to write (default: standard output)' });

  async execute(): Promise<number> {
    const overlay = await readOverlay(await loadConfig(this.config, { env: this.context.env }));
    const text = `${[...writeLines(overlay)].join('\n')}\n`;
    if (this.out === undefined) this.context.stdout.write(text);
    else await writePrivateFile(this.out, text);
    const { entries, records } = overlay;
    this.context.stderr.write(
      `Exported ${countWords(entries.length, 'entry', 'entries')}, ${records.length} sources and registries.\n`,
    );
    return 0;
  }
}
