import type { CommandClass } from 'clipanion';
import { WORKLOAD_COMMANDS } from './workload-command-table.ts';

/** One command: what the help says of it, and how its code is loaded when it is called. */
export interface CommandEntry {
  readonly path: readonly string[];
  readonly category: string;
  /** One sentence without its full stop. */
  readonly summary: string;
  /** Left out of the overview: another name, or not for people. */
  readonly isHidden?: boolean;
  readonly load: () => Promise<CommandClass>;
}

const SERVICE = 'Registry service';
const CATALOGS = 'Catalogs and bundles';
const OVERLAY = 'Backup and move';
const ANSWERS = 'Questions';
const ENTRIES = 'Published entries of a running service';

/** Every command, in the order of the help. Code is loaded on demand, so that the help and a typo cost nothing. */
export const COMMANDS: readonly CommandEntry[] = [
  ...WORKLOAD_COMMANDS,
  {
    path: ['serve'],
    category: SERVICE,
    summary: 'Compile what is missing and serve the registries',
    load: async () => (await import('./commands/serve.ts')).ServeCommand,
  },
  {
    path: ['migrate', 'up'],
    category: SERVICE,
    summary: 'Bring the PostgreSQL database to the schema this program needs',
    load: async () => (await import('./commands/migrate-up.ts')).MigrateUpCommand,
  },
  {
    path: ['migrate', 'down'],
    category: SERVICE,
    summary: 'Take the newest migrations back, with the data in their tables',
    load: async () => (await import('./commands/migrate-down.ts')).MigrateDownCommand,
  },
  {
    path: ['migrate', 'status'],
    category: SERVICE,
    summary: 'List the migrations of the PostgreSQL database',
    load: async () => (await import('./commands/migrate-status.ts')).MigrateStatusCommand,
  },
  {
    path: ['build'],
    category: CATALOGS,
    summary: 'Fetch every source once and compile its bundle',
    load: async () => (await import('./commands/build.ts')).BuildCommand,
  },
  {
    path: ['validate'],
    category: CATALOGS,
    summary: 'Check the configuration and catalogs without serving or writing anything',
    load: async () => (await import('./commands/validate.ts')).ValidateCommand,
  },
  {
    path: ['diff'],
    category: CATALOGS,
    summary: 'Say what changes between two states, and who gains or loses sight of what',
    load: async () => (await import('./commands/diff.ts')).DiffCommand,
  },
  {
    path: ['bundles', 'list'],
    category: CATALOGS,
    summary: 'List the bundles that are kept of each source',
    load: async () => (await import('./commands/bundles-list.ts')).BundlesListCommand,
  },
  {
    path: ['bundles', 'rollback'],
    category: CATALOGS,
    summary: 'Make an earlier bundle of a source the current one',
    load: async () => (await import('./commands/bundles-rollback.ts')).BundlesRollbackCommand,
  },
  {
    path: ['site', 'export'],
    category: CATALOGS,
    summary: 'Write the site, with what site.audience may see, as files for any web server',
    load: async () => (await import('./commands/site-export.ts')).SiteExportCommand,
  },
  {
    path: ['overlay', 'export'],
    category: OVERLAY,
    summary: 'Write published entries, and sources and registries made through the API, as JSON lines',
    load: async () => (await import('./commands/overlay-export.ts')).OverlayExportCommand,
  },
  {
    path: ['overlay', 'import'],
    category: OVERLAY,
    summary: 'Bring an exported overlay into SQLite or PostgreSQL',
    load: async () => (await import('./commands/overlay-import.ts')).OverlayImportCommand,
  },
  {
    path: ['explain'],
    category: ANSWERS,
    summary: 'Say step by step why a caller sees or does not see an entry',
    load: async () => (await import('./commands/explain.ts')).ExplainCommand,
  },
  {
    path: ['doctor'],
    category: ANSWERS,
    summary: 'Play the well-known clients against a running registry and explain what fails',
    load: async () => (await import('./commands/doctor.ts')).DoctorCommand,
  },
  {
    path: ['publish'],
    category: ENTRIES,
    summary: 'Publish a server.json or a skill',
    load: async () => (await import('./commands/publish.ts')).PublishCommand,
  },
  {
    path: ['entries', 'list'],
    category: ENTRIES,
    summary: 'List the entries of a source or registry with versions and claims',
    load: async () => (await import('./commands/entries-list.ts')).EntriesListCommand,
  },
  {
    path: ['entries', 'status'],
    category: ENTRIES,
    summary: 'Deprecate, hide or bring back a version',
    load: async () => (await import('./commands/entries-status.ts')).EntriesStatusCommand,
  },
  {
    path: ['entries', 'delete'],
    category: ENTRIES,
    summary: 'Delete a version for good',
    load: async () => (await import('./commands/entries-delete.ts')).EntriesDeleteCommand,
  },
  {
    path: ['entries', 'claims'],
    category: ENTRIES,
    summary: 'Show or replace the claims of an entry',
    load: async () => (await import('./commands/entries-claims.ts')).EntriesClaimsCommand,
  },
  {
    path: ['me'],
    category: ENTRIES,
    summary: 'Say who a token is and which roles it has',
    load: async () => (await import('./commands/me.ts')).MeCommand,
  },
];

/** Category and description of a command, for its own help. */
export function describeCommand(name: string): { readonly category: string; readonly description: string } {
  const entry = COMMANDS.find(({ path }) => path.join(' ') === name);
  if (!entry) throw new TypeError(`no command is called ${name}`);
  return { category: entry.category, description: entry.summary };
}
