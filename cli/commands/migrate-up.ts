import { Command, Option } from 'clipanion';
import { readConnectionSettings } from '../../server/overlay/postgres/connection-settings.ts';
import { migrateUp } from '../../server/overlay/postgres/migrate.ts';
import { workOnSchema } from '../../server/overlay/postgres/open-database.ts';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { configOption, formatOption, readFormat } from '../common-options.ts';
import { readDatabase, readSteps } from '../migrate-database.ts';

const FORMATS = ['text', 'json'] as const;

export class MigrateUpCommand extends BerthCommand {
  static override paths = [['migrate', 'up']];
  static override usage = Command.Usage({
    ...describeCommand('migrate up'),
    details: `
      Done in one transaction, as database.migrationUser when there is one; the service's own user is then given what it
      needs. berth serve does the same when it starts.
    `,
    examples: [['All that are missing', '$0 migrate up --config registry.config.yaml']],
  });

  config = configOption();
  steps = Option.String('--steps', { description: 'how many migrations at most (default: all)' });
  format = formatOption(FORMATS);

  async execute(): Promise<number> {
    const format = readFormat(this.format, FORMATS);
    const steps = readSteps(this.steps);
    const { database, baseDir } = await readDatabase(this.config, this.context.env);
    const { user: grantTo } = readConnectionSettings(database, baseDir);
    const applied = await workOnSchema(database, baseDir, (client) =>
      migrateUp(client, { grantTo, ...(steps === undefined ? {} : { steps }) }),
    );
    const done = applied.map(({ version, name }) => ({ version, name }));
    if (format === 'json') this.printJson({ applied: done });
    else if (done.length === 0) this.print(['Nothing to do: the database is up to date.']);
    else this.print(done.map(({ version, name }) => `Applied ${version} ${name}.`));
    return 0;
  }
}
