import type {
  CatalogReader,
  EntryCard,
  EntryDetail,
  RegistryCard,
} from '../../../server/site/catalog-reader.ts';
import type { EntryType, Refusal } from '../../../server/site/site-locals.ts';

/** Every text of a catalog goes through this, so that a test may put its own into all of them. */
export type WriteText = (text: string) => string;

const TIME = Date.UTC(2026, 2, 3, 14, 5);

/** A catalog in which everything a page can show is there. */
export function makeCatalog(write: WriteText = (text) => text): CatalogReader {
  const registry: RegistryCard = {
    name: 'company',
    description: write('What the company uses'),
    url: 'https://mcp.example.com/registry/company',
    servers: 25,
    skills: 1,
  };
  const facet = (value: string) => [{ value: write(value), count: 3 }];
  return {
    listRegistries: () => [registry],
    listEntries: (_, { type }) => ({
      registry,
      entries: [makeCard(type, write)],
      total: 25,
      next: write('next-page'),
      facets: { tags: facet('storage'), transports: facet('stdio'), packages: facet('npm') },
    }),
    readEntry: (_, type) => makeDetail(registry, type, write),
  };
}

/** A catalog that shows nothing, and why. */
export function refuseAll(status: Refusal['status']): CatalogReader {
  const refuse = (): Refusal => ({ refused: true, status, code: 'refused', detail: 'Because of the test.' });
  return { listRegistries: refuse, listEntries: refuse, readEntry: refuse };
}

function makeCard(type: EntryType, write: WriteText): EntryCard {
  return {
    type,
    name: write('io.acme/notes'),
    title: write('Notes'),
    description: write('Keeps notes'),
    version: write('1.2.0'),
    status: 'deprecated',
    updatedAt: TIME,
    tags: [write('storage')],
    transports: [write('stdio')],
    packages: [write('npm')],
    href: `/catalog/company/${type}s/io.acme/notes`,
  };
}

function makeDetail(registry: RegistryCard, type: EntryType, write: WriteText): EntryDetail {
  const input = {
    description: write('What it is for'),
    isRequired: true,
    isSecret: true,
    placeholder: write('like this'),
    choices: [write('one')],
  };
  const value = { ...input, value: write('a value'), variables: { [write('part')]: input } };
  const keyed = { ...value, name: write('API_KEY') };
  const href = '/catalog/company/servers/io.acme/notes/1.1.0';
  return {
    registry,
    card: makeCard(type, write),
    isLatest: false,
    statusMessage: write('Use another one'),
    publishedAt: TIME,
    server:
      type === 'skill'
        ? undefined
        : {
            name: write('io.acme/notes'),
            description: write('Keeps notes'),
            version: write('1.2.0'),
            packages: [
              {
                registryType: 'npm',
                identifier: write('@acme/notes'),
                version: write('1.2.0'),
                registryBaseUrl: write('https://packages.example.com'),
                runtimeHint: write('npx'),
                fileSha256: write('0a'),
                transport: { type: 'sse', url: write('http://127.0.0.1/{port}'), headers: [keyed] },
                environmentVariables: [keyed],
                packageArguments: [
                  { ...value, type: 'positional', valueHint: write('file') },
                  { ...value, type: 'named', name: write('--root') },
                ],
                runtimeArguments: [{ ...value, type: 'named', name: write('-y') }],
              },
            ],
            remotes: [
              {
                type: 'streamable-http',
                url: write('https://notes.example.com/{tenant}'),
                headers: [keyed],
                variables: { [write('tenant')]: input },
              },
            ],
          },
    skill:
      type === 'server'
        ? undefined
        : {
            license: write('Apache-2.0'),
            compatibility: write('Needs git'),
            allowedTools: [write('Bash')],
            packages: [{ type: write('git'), text: write('https://git.example.com/skills') }],
            download: 'https://mcp.example.com/registry/company/.well-known/agent-skills/notes.tar.gz',
          },
    links: [{ label: 'Repository', href: 'https://git.example.com/acme/notes' }],
    tools: [{ name: write('add_note'), description: write('Adds a note'), hints: [write('destructive')] }],
    permissions: {
      read: [write('/data')],
      write: [write('/out')],
      hosts: [write('notes.example.com')],
      ports: [443],
      allowsAllHosts: false,
      asksPrivileged: true,
    },
    provenance: {
      sigstoreUrl: write('https://sigstore.example.com'),
      repositoryUri: write('https://git.example.com/acme/notes'),
      signerIdentity: write('/.ci/release.yml'),
      runnerEnvironment: write('hosted'),
      certIssuer: write('https://issuer.example.com'),
    },
    origin: {
      source: write('team'),
      bundle: write('sha256:0a'),
      commit: write('0a1b2c3'),
      commitUrl: 'https://git.example.com/acme/notes/commit/0a1b2c3',
      rest: [[write('branch'), write('main')]],
    },
    versions: [
      {
        version: write('1.3.0'),
        status: 'active',
        isLatest: true,
        publishedAt: TIME,
        updatedAt: TIME,
        href: '/catalog/company/servers/io.acme/notes',
      },
      {
        version: write('1.2.0'),
        status: 'deprecated',
        isLatest: false,
        publishedAt: TIME,
        updatedAt: TIME,
        href,
      },
    ],
    snippets: [
      { label: write('berth run'), language: 'sh', text: write('berth run io.acme/notes') },
      { label: write('VS Code'), language: 'json', text: write('{}') },
    ],
    json: write('{ "name": "io.acme/notes" }'),
  };
}
