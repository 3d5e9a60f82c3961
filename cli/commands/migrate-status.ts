import { Command } from 'clipanion';
import { type MigrationState, readMigrationStatus } from '../../server/overlay/postgres/migrate.ts';
import { workOnSchema } from '../../server/overlay/postgres/open-database.ts';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { configOption, formatOption, readFormat } from '../common-options.ts';
import { readDatabase } from '../migrate-database.ts';
import { printTable } from '../print-table.ts';

const FORMATS = ['text', 'json'] as const;

export class MigrateStatusCommand extends BerthCommand {
  static override paths = [['migrate', 'status']];
  static override usage = Command.Usage({
    ...describeCommand('migrate status'),
    details:
      'Changes nothing. Migrations of a newer program are shown too; this one refuses such a database.',
    examples: [['As JSON', '$0 migrate status --format json']],
  });

  config = configOption();
  format = formatOption(FORMATS);

  async execute(): Promise<number> {
    const format = readFormat(this.format, FORMATS);
    const { database, baseDir } = await readDatabase(this.config, this.context.env);
    const status = await workOnSchema(database, baseDir, (client) => readMigrationStatus(client));
    if (format === 'json') this.printJson(status);
    else this.print(printTable<MigrationState>(COLUMNS, status.migrations));
    return 0;
  }
}

const COLUMNS = [
  { title: 'VERSION', align: 'right', of: ({ version }: MigrationState) => version },
  { title: 'NAME', of: ({ name }: MigrationState) => name },
  { title: 'APPLIED AT', of: ({ appliedAt }: MigrationState) => appliedAt ?? 'not applied' },
] as const;
