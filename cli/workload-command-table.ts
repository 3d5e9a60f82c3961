import type { CommandEntry } from './command-table.ts';

/** The commands of `berth run` and what it started, in the order of the help. */
export const WORKLOAD_COMMANDS: readonly CommandEntry[] = [
  {
    path: ['secret', 'setup'],
    category: 'Secrets',
    summary: 'Choose where secrets are kept, and make that place ready',
    load: async () => (await import('./commands/secret-setup.ts')).SecretSetupCommand,
  },
  {
    path: ['secret', 'set'],
    category: 'Secrets',
    summary: 'Keep a secret, read from standard input or a hidden prompt',
    load: async () => (await import('./commands/secret-set.ts')).SecretSetCommand,
  },
  {
    path: ['secret', 'get'],
    category: 'Secrets',
    summary: 'Print the value of a secret',
    load: async () => (await import('./commands/secret-get.ts')).SecretGetCommand,
  },
  {
    path: ['secret', 'list'],
    category: 'Secrets',
    summary: 'List the names of secrets',
    load: async () => (await import('./commands/secret-list.ts')).SecretListCommand,
  },
  {
    path: ['secret', 'rm'],
    category: 'Secrets',
    summary: 'Remove a secret',
    load: async () => (await import('./commands/secret-rm.ts')).SecretRmCommand,
  },
];
