import { Command, Option } from 'clipanion';
import { z } from 'zod';
import { BerthCommand } from '../berth-command.ts';
import { AdminClient } from '../client/admin-client.ts';
import { registryUrlOption, tokenFileOption } from '../client/registry-options.ts';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';
import { printTable } from '../print-table.ts';
import { UsageError } from '../usage-error.ts';

const pageSchema = z.object({
  entries: z.array(
    z.looseObject({
      type: z.string(),
      name: z.string(),
      claims: z.record(z.string(), z.unknown()),
      versions: z.array(z.looseObject({ version: z.string(), status: z.string() })),
    }),
  ),
  metadata: z.object({ nextCursor: z.string().optional() }),
});

type Entry = z.infer<typeof pageSchema>['entries'][number];

export class EntriesListCommand extends BerthCommand {
  static override paths = [['entries', 'list']];
  static override usage = Command.Usage({
    ...describeCommand('entries list'),
    details: 'What a source holds, or what the sources of a registry hold before shadowing, with claims.',
    examples: [
      ['What was published into a source', '$0 entries list --source published'],
      ['All of a registry', '$0 entries list --registry default --format json'],
    ],
  });

  registryUrl = registryUrlOption();
  tokenFile = tokenFileOption();
  source = Option.String('--source', { description: 'the source to list' });
  registry = Option.String('--registry', { description: 'the registry to list' });
  format = formatOption(['text', 'json']);

  async execute(): Promise<number> {
    const format = readFormat(this.format, ['text', 'json']);
    const path = this.#path();
    const client = await AdminClient.open({ ...this, env: this.context.env });
    const entries: Entry[] = [];
    let cursor: string | undefined;
    do {
      const query = `?limit=100${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      const page = await client.read(`${path}${query}`, pageSchema);
      entries.push(...page.entries);
      cursor = page.metadata.nextCursor;
    } while (cursor !== undefined);
    if (format === 'json') this.printJson({ entries });
    else this.print(printEntries(entries));
    return 0;
  }

  #path(): string {
    if ((this.source === undefined) === (this.registry === undefined)) {
      throw new UsageError('Name what to list.', { fix: 'Give either --source or --registry.' });
    }
    return this.source === undefined
      ? `/v1/registries/${encodeURIComponent(this.registry ?? '')}/entries`
      : `/v1/sources/${encodeURIComponent(this.source)}/entries`;
  }
}

function printEntries(entries: readonly Entry[]): string[] {
  if (entries.length === 0) return ['There are no entries.'];
  return printTable(
    [
      { title: 'ENTRY', of: (entry) => `${entry.type}/${entry.name}` },
      { title: 'VERSIONS', of: ({ versions }) => versions.map(showVersion).join(', ') },
      { title: 'CLAIMS', of: ({ claims }) => JSON.stringify(claims) },
    ],
    entries,
  );
}

function showVersion({ version, status }: Entry['versions'][number]): string {
  return status === 'active' ? version : `${version} (${status})`;
}
