/** The order of the guides; within a folder the pages' own `sidebar.order` decides. */
export const SIDEBAR = [
  { label: 'Start', autogenerate: { directory: 'docs/start' } },
  { label: 'Registry', autogenerate: { directory: 'docs/registry' } },
  { label: 'Clients', autogenerate: { directory: 'docs/clients' } },
  { label: 'Run servers', autogenerate: { directory: 'docs/run' } },
  { slug: 'docs/troubleshooting' },
  { slug: 'docs/architecture' },
  { label: 'Reference', autogenerate: { directory: 'docs/reference' }, collapsed: true },
];
