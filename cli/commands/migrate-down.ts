import { Command, Option } from 'clipanion';
import { migrateDown } from '../../server/overlay/postgres/migrate.ts';
import { workOnSchema } from '../../server/overlay/postgres/open-database.ts';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { configOption, formatOption, readFormat } from '../common-options.ts';
import { readDatabase, readSteps } from '../migrate-database.ts';
import { UsageError } from '../usage-error.ts';

const FORMATS = ['text', 'json'] as const;

export class MigrateDownCommand extends BerthCommand {
  static override paths = [['migrate', 'down']];
  static override usage = Command.Usage({
    ...describeCommand('migrate down'),
    details: `
      The tables a migration made are dropped with everything in them, published entries included: back the database up
      before. Stop every berth serve first, because one that starts applies the migrations again.
    `,
    examples: [['The newest one', '$0 migrate down --yes']],
  });

  config = configOption();
  steps = Option.String('--steps', { description: 'how many migrations (default: 1)' });
  yes = Option.Boolean('--yes', false, { description: 'really drop what they made' });
  format = formatOption(FORMATS);

  async execute(): Promise<number> {
    const format = readFormat(this.format, FORMATS);
    const steps = readSteps(this.steps) ?? 1;
    if (!this.yes) {
      throw new UsageError('Taking migrations back drops tables with everything in them.', {
        at: { flag: '--yes' },
        fix: 'Add it when that is wanted and a backup exists.',
      });
    }
    const { database, baseDir } = await readDatabase(this.config, this.context.env);
    const taken = await workOnSchema(database, baseDir, (client) => migrateDown(client, steps));
    const done = taken.map(({ version, name }) => ({ version, name }));
    if (format === 'json') this.printJson({ takenBack: done });
    else if (done.length === 0) this.print(['Nothing to do: the database has no migrations.']);
    else this.print(done.map(({ version, name }) => `Took back ${version} ${name}.`));
    return 0;
  }
}
