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
  {
    path: ['client', 'list'],
    category: 'AI clients',
    summary: 'List the known AI clients, which are on this machine, and which are registered',
    load: async () => (await import('./commands/client-list.ts')).ClientListCommand,
  },
  {
    path: ['client', 'register'],
    category: 'AI clients',
    summary: 'Write workloads into the configuration of AI clients from now on',
    load: async () => (await import('./commands/client-register.ts')).ClientRegisterCommand,
  },
  {
    path: ['client', 'remove'],
    category: 'AI clients',
    summary: 'Take the workloads out of the configuration of AI clients',
    load: async () => (await import('./commands/client-remove.ts')).ClientRemoveCommand,
  },
];
