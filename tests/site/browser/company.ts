import { findFreePort } from '../../support/start-mcp-fixture.ts';
import { type Service, startService } from '../../support/start-service.ts';
import {
  SITE_CLIENT,
  type SignInProvider,
  startSignInProvider,
} from '../../support/start-sign-in-provider.ts';

/** A word of a made-up animal for what each team owns: whoever is not of the team must never read it. */
const WORDS = { shared: 'pelican', data: 'quokka', platform: 'narwhal', hiddenRegistry: 'okapi' } as const;
type Word = (typeof WORDS)[keyof typeof WORDS];

/** Who signs in, what their token says, and which words their pages may show. */
export const PERSONAS: Readonly<Record<string, { claims: object; words: readonly Word[] }>> = {
  intern: { claims: { org: 'acme' }, words: ['pelican'] },
  dora: { claims: { org: 'acme', team: 'data' }, words: ['pelican', 'quokka', 'okapi'] },
  pat: { claims: { org: 'acme', team: 'platform' }, words: ['pelican', 'narwhal'] },
  rosa: { claims: { role: 'root' }, words: ['pelican', 'quokka', 'narwhal', 'okapi'] },
  olga: { claims: { org: 'globex' }, words: [] },
};
export const ALL_WORDS: readonly Word[] = Object.values(WORDS);

export interface Company {
  readonly service: Service;
  readonly provider: SignInProvider;
  close(): Promise<void>;
}

/** Starts the built command with two teams behind a real provider, and a managed source that the data team writes to. */
export async function startCompany(): Promise<Company> {
  const personas = Object.fromEntries(
    Object.entries(PERSONAS).map(([name, { claims }]) => [name, { ...claims }]),
  );
  const provider = await startSignInProvider({ personas });
  // Known beforehand, as it is where the provider sends people back to.
  const port = await findFreePort();
  const service = await startService(
    {
      sources: [
        teamSource('common', WORDS.shared, { org: 'acme' }),
        teamSource(`${WORDS.data}-tools`, WORDS.data, { org: 'acme', team: 'data' }),
        teamSource(`${WORDS.platform}-tools`, WORDS.platform, { org: 'acme', team: 'platform' }),
        teamSource(`${WORDS.hiddenRegistry}-tools`, WORDS.hiddenRegistry, { org: 'acme', team: 'data' }),
        { name: 'published', managed: {}, claims: { org: 'acme', team: 'data' } },
      ],
      registries: [
        {
          name: 'company',
          description: 'What Acme uses',
          sources: ['common', `${WORDS.data}-tools`, `${WORDS.platform}-tools`, 'published'],
          claims: { org: 'acme' },
        },
        {
          name: `${WORDS.hiddenRegistry}-registry`,
          description: `The ${WORDS.hiddenRegistry} of the data team`,
          sources: [`${WORDS.hiddenRegistry}-tools`],
          claims: { org: 'acme', team: 'data' },
        },
      ],
      auth: {
        oauth: { resourceUrl: 'https://registry.acme.example', providers: [provider.provider] },
        authz: {
          roles: { superAdmin: [{ role: 'root' }], manageEntries: [{ org: 'acme', team: 'data' }] },
        },
      },
      site: { title: 'Acme catalog', signIn: { clientId: SITE_CLIENT }, baseUrl: `http://127.0.0.1:${port}` },
    },
    { args: ['--address', `127.0.0.1:${port}`] },
  );
  return {
    service,
    provider,
    close: async () => {
      await service.stop();
      await provider.close();
    },
  };
}

/** Two servers and what else an entry can tell, all with the team's word in it. */
function teamSource(name: string, word: Word, claims: object): object {
  const server = (short: string, version: string, more: object) => ({
    name: `com.acme.${word}/${word}-${short}`,
    title: `${word} ${short}`,
    description: `Talks to the ${word} of ${short}`,
    version,
    ...more,
  });
  const servers = [
    server('reader', '1.0.0', {
      remotes: [{ type: 'streamable-http', url: `https://${word}.acme.example/mcp` }],
    }),
    server('reader', '1.1.0', {
      remotes: [{ type: 'streamable-http', url: `https://${word}.acme.example/mcp` }],
    }),
    server('writer', '2.0.0', {
      packages: [
        {
          registryType: 'npm',
          identifier: `@acme/${word}-writer`,
          version: '2.0.0',
          transport: { type: 'stdio' },
          environmentVariables: [{ name: `${word.toUpperCase()}_TOKEN`, isSecret: true, isRequired: true }],
        },
      ],
      _meta: {
        'io.modelcontextprotocol.registry/publisher-provided': {
          'dev.toolhive': { [`@acme/${word}-writer`]: { tags: [`${word}-tag`], tools: [`write_${word}`] } },
        },
      },
    }),
  ];
  return {
    name,
    file: { data: { servers } },
    syncPolicy: { interval: '1h' },
    claims,
  };
}
