import type { EntryType } from '../../../sources/model/entry.ts';
import { readOfficialBlock } from '../../../sources/model/official-block.ts';
import { serverJsonSchema } from '../../../sources/model/server-json.ts';
import { listVersions } from '../../view/find-entry.ts';
import type { Found } from '../../view/query.ts';
import type { Sight } from '../../view/registry-view.ts';
import type { EntryDetail, VersionLine } from '../catalog-reader.ts';
import { describeOrigin } from './describe-origin.ts';
import { describePermissions } from './describe-permissions.ts';
import { describeProvenance } from './describe-provenance.ts';
import { describeSkill } from './describe-skill.ts';
import { describeTools } from './describe-tools.ts';
import { factsOfItem } from './entry-facts.ts';
import { entryHref } from './entry-href.ts';
import { linkTo } from './link-to.ts';
import { makeEntryCard, makeRegistryCard } from './make-card.ts';
import { findPublisherBlock } from './publisher-block.ts';
import { type ApiItem, asObject, readItem } from './read-item.ts';
import { makeServerSnippets, makeSkillSnippets, type SnippetContext } from './snippets/make-snippets.ts';

/** Everything a page shows of one version. */
export function describeEntry(
  sight: Sight,
  type: EntryType,
  found: Found,
  { baseUrl, needsLogin }: { readonly baseUrl: string; readonly needsLogin: boolean },
): EntryDetail {
  const registry = makeRegistryCard(sight, baseUrl);
  const { table, row, part, isLatest } = found;
  const item = readItem(type, found);
  const card = makeEntryCard(registry.name, type, found, factsOfItem(type, found, item));
  const server = type === 'server' ? serverJsonSchema.safeParse(item.body).data : undefined;
  const skill = type === 'skill' ? describeSkill(sight, found, item.body, registry.url) : undefined;
  const block = server ? findPublisherBlock(item.meta, server) : {};
  const context: SnippetContext = {
    name: card.name,
    ...(isLatest ? {} : { version: card.version }),
    registryUrl: registry.url,
    needsLogin,
  };
  return {
    registry,
    card,
    isLatest,
    statusMessage: readOfficialBlock(asObject(item.whole._meta)).statusMessage,
    publishedAt: table.timesOf(row).published,
    server,
    skill,
    links: listLinks(item),
    tools: describeTools(item.meta),
    permissions: describePermissions(block),
    provenance: describeProvenance(block),
    origin: describeOrigin(part.segment.origin),
    versions: listVersions(sight, type, card.name, false).map((one) => lineOf(registry.name, card, one)),
    snippets: server
      ? makeServerSnippets(server, block, context)
      : skill
        ? makeSkillSnippets(item.body, skill, context)
        : [],
    json: JSON.stringify(item.whole, undefined, 2),
  };
}

function lineOf(
  registry: string,
  { type, name }: EntryDetail['card'],
  { table, row, isLatest }: Found,
): VersionLine {
  const version = table.versionOf(row);
  const { published, updated } = table.timesOf(row);
  return {
    ...{ version, isLatest, publishedAt: published, updatedAt: updated },
    status: table.statusOf(row),
    href: entryHref(registry, type, name, isLatest ? undefined : version),
  };
}

function listLinks({ body }: ApiItem): EntryDetail['links'] {
  const links = [
    { label: 'Home page', href: linkTo(body.websiteUrl) },
    { label: 'Repository', href: linkTo(asObject(body.repository).url) },
  ];
  return links.flatMap(({ label, href }) => (href === undefined ? [] : [{ label, href }]));
}
