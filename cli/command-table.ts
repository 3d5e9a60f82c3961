import type { CommandClass } from 'clipanion';

/** One command: what the help says of it, and how its code is loaded when it is called. */
export interface CommandEntry {
  readonly path: readonly string[];
  readonly category: string;
  /** One sentence without its full stop. */
  readonly summary: string;
  readonly load: () => Promise<CommandClass>;
}

const SERVICE = 'Registry service';
const CATALOGS = 'Catalogs and bundles';
const ANSWERS = 'Questions';

/** Every command, in the order of the help. Code is loaded on demand, so that the help and a typo cost nothing. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    path: ['serve'],
    category: SERVICE,
    summary: 'Compile what is missing and serve the registries',
    load: async () => (await import('./commands/serve.ts')).ServeCommand,
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
];

/** Category and description of a command, for its own help. */
export function describeCommand(name: string): { readonly category: string; readonly description: string } {
  const entry = COMMANDS.find(({ path }) => path.join(' ') === name);
  if (!entry) throw new TypeError(`no command is called ${name}`);
  return { category: entry.category, description: entry.summary };
}
