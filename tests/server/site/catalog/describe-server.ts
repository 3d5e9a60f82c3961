import { createCatalogReader } from '../../../../server/site/catalog/create-catalog-reader.ts';
import type { EntryDetail } from '../../../../server/site/catalog-reader.ts';
import { makeServer } from '../../../support/make-entry.ts';
import { makeAnonymous } from '../../../support/make-identity.ts';
import { makeSegment, makeWorld } from '../../../support/make-world.ts';
import { admitted } from './walk-pages.ts';

/** The page of a server with this body, of a registry that is open to all. */
export async function describeServer(
  body: Readonly<Record<string, unknown>>,
  {
    version,
    identity = makeAnonymous(),
  }: { version?: string; identity?: ReturnType<typeof makeAnonymous> } = {},
): Promise<EntryDetail> {
  const entries = [
    makeServer('com.acme/my.server', '1.0.0', { body }),
    makeServer('com.acme/my.server', '0.9.0', { body }),
  ];
  const origin = {
    kind: 'git',
    commit: 'abcdef0',
    repository: 'https://github.com/acme/catalog.git',
  } as const;
  const world = makeWorld({
    main: { segments: [await makeSegment('s', entries, { org: 'acme' }, origin)], claims: { org: 'acme' } },
  });
  const reader = createCatalogReader({ world: () => world, identity, baseUrl: 'http://127.0.0.1:8080' });
  return admitted(reader.readEntry('main', 'server', 'com.acme/my.server', version));
}

/** The texts of its snippets by label. */
export async function readSnippets(body: Readonly<Record<string, unknown>>): Promise<Record<string, string>> {
  const { snippets } = await describeServer(body);
  return Object.fromEntries(snippets.map(({ label, text }) => [label, text]));
}
