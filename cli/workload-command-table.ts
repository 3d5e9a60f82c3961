import type { CommandEntry } from './command-table.ts';

const WORKLOADS = 'MCP servers';

/** The commands of `berth run` and what it started, in the order of the help. */
export const WORKLOAD_COMMANDS: readonly CommandEntry[] = [
  {
    path: ['run'],
    category: WORKLOADS,
    summary: 'Run an MCP server in isolation behind a proxy',
    load: async () => (await import('./commands/run.ts')).RunCommand,
  },
  {
    path: ['list'],
    category: WORKLOADS,
    summary: 'List the workloads',
    load: async () => (await import('./commands/list.ts')).ListCommand,
  },
  {
    path: ['ls'],
    category: WORKLOADS,
    summary: 'List the workloads',
    isHidden: true,
    load: async () => (await import('./commands/list.ts')).ListCommand,
  },
  {
    path: ['status'],
    category: WORKLOADS,
    summary: 'Say how a workload does',
    load: async () => (await import('./commands/status.ts')).StatusCommand,
  },
  {
    path: ['logs'],
    category: WORKLOADS,
    summary: 'Show what a server or its proxy said',
    load: async () => (await import('./commands/logs.ts')).LogsCommand,
  },
  {
    path: ['stop'],
    category: WORKLOADS,
    summary: 'Stop workloads',
    load: async () => (await import('./commands/stop.ts')).StopCommand,
  },
  {
    path: ['start'],
    category: WORKLOADS,
    summary: 'Start workloads that do not run',
    load: async () => (await import('./commands/start.ts')).StartCommand,
  },
  {
    path: ['restart'],
    category: WORKLOADS,
    summary: 'Stop workloads and start them again',
    load: async () => (await import('./commands/restart.ts')).RestartCommand,
  },
  {
    path: ['rm'],
    category: WORKLOADS,
    summary: 'Remove workloads and everything of them',
    load: async () => (await import('./commands/rm.ts')).RmCommand,
  },
  {
    path: ['export'],
    category: WORKLOADS,
    summary: 'Write the configuration of a workload',
    load: async () => (await import('./commands/export.ts')).ExportCommand,
  },
  {
    path: ['group', 'create'],
    category: WORKLOADS,
    summary: 'Make a group',
    load: async () => (await import('./commands/group-create.ts')).GroupCreateCommand,
  },
  {
    path: ['group', 'list'],
    category: WORKLOADS,
    summary: 'List the groups and what is in them',
    load: async () => (await import('./commands/group-list.ts')).GroupListCommand,
  },
  {
    path: ['group', 'rm'],
    category: WORKLOADS,
    summary: 'Remove a group',
    load: async () => (await import('./commands/group-rm.ts')).GroupRmCommand,
  },
  {
    path: ['prune'],
    category: WORKLOADS,
    summary: 'Remove what workloads that are gone left behind',
    load: async () => (await import('./commands/prune.ts')).PruneCommand,
  },
  {
    path: ['supervise'],
    category: WORKLOADS,
    summary: 'Look after one workload',
    isHidden: true,
    load: async () => (await import('./commands/supervise.ts')).SuperviseCommand,
  },
  {
    path: ['registry', 'login'],
    category: 'Registry of servers',
    summary: 'Log in to the configured registry',
    load: async () => (await import('./commands/registry-login.ts')).RegistryLoginCommand,
  },
  {
    path: ['registry', 'logout'],
    category: 'Registry of servers',
    summary: 'Forget the login to a registry',
    load: async () => (await import('./commands/registry-logout.ts')).RegistryLogoutCommand,
  },
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
  {
    path: ['mcp', 'list'],
    category: 'Talking to servers',
    summary: 'List the tools, resources or prompts of a workload or URL',
    load: async () => (await import('./commands/mcp-list.ts')).McpListCommand,
  },
  {
    path: ['mcp', 'call'],
    category: 'Talking to servers',
    summary: 'Call a tool of a workload or URL',
    load: async () => (await import('./commands/mcp-call.ts')).McpCallCommand,
  },
  {
    path: ['proxy', 'stdio'],
    category: 'Talking to servers',
    summary: 'Bridge standard input and output to a workload, for clients without HTTP',
    load: async () => (await import('./commands/proxy-stdio.ts')).ProxyStdioCommand,
  },
];
