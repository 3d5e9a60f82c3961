import { findPreferred, listRunnables } from '../../../../sources/model/package-reference.ts';
import type { PlainObject } from '../../../../sources/model/plain-object.ts';
import type { ServerJson } from '../../../../sources/model/server-json.ts';
import type { SkillBody, Snippet } from '../../catalog-reader.ts';
import { linkTo } from '../link-to.ts';
import { objectsIn } from '../read-item.ts';
import { writeClaudeCode } from './claude-code-snippet.ts';
import { planLaunch } from './plan-launch.ts';
import { isFitToCopy, quoteWord } from './quote-word.ts';
import { writeVsCode } from './vs-code-snippet.ts';

export interface SnippetContext {
  /** `namespace/name`. */
  readonly name: string;
  /** Absent for the latest. */
  readonly version?: string;
  readonly registryUrl: string;
  /** Whether the registry lets nobody in without a token. */
  readonly needsLogin: boolean;
}

/**
 * What to copy to use a server.
 * @param block what its publisher says of it
 */
export function makeServerSnippets(
  server: ServerJson,
  block: PlainObject,
  context: SnippetContext,
): Snippet[] {
  const launch = planLaunch(server, block);
  const name = nameInClients(context.name);
  const texts = [
    { label: 'berth run', language: 'sh', text: writeBerthRun(server, context) },
    { label: 'VS Code', language: 'json', text: launch && writeVsCode(name, launch) },
    { label: 'Claude Code', language: 'sh', text: launch && writeClaudeCode(name, launch) },
  ] as const;
  return texts.flatMap(({ text, ...rest }) => (text === undefined ? [] : [{ ...rest, text }]));
}

/** What to copy to install a skill: from this registry when it has the files, else from the repository it names. */
export function makeSkillSnippets(
  body: PlainObject,
  { download }: SkillBody,
  { name, registryUrl }: SnippetContext,
): Snippet[] {
  const repositories = objectsIn(body.packages)
    .filter((one) => one.registryType === 'git')
    .map((one) => linkTo(one.url));
  const from = download === undefined ? repositories.find((url) => url !== undefined) : registryUrl;
  if (from === undefined) return [];
  return writeCommands('npx skills', [
    ['npx', 'skills', 'add', from, '--skill', name.slice(name.indexOf('/') + 1)],
  ]);
}

function writeBerthRun(server: ServerJson, context: SnippetContext): string | undefined {
  const { name, version, registryUrl, needsLogin } = context;
  if (!findPreferred(listRunnables(server))) return undefined;
  return writeCommands('berth run', [
    ['berth', 'registry', 'set', registryUrl],
    ...(needsLogin ? [['berth', 'registry', 'login']] : []),
    ['berth', 'run', version === undefined ? name : `${name}@${version}`],
  ])[0]?.text;
}

function writeCommands(label: Snippet['label'], commands: readonly (readonly string[])[]): Snippet[] {
  if (!commands.flat().every(isFitToCopy)) return [];
  const text = commands.map((words) => words.map(quoteWord).join(' ')).join('\n');
  return [{ label, language: 'sh', text }];
}

/** The part behind the slash, of the characters every client takes. */
function nameInClients(name: string): string {
  return name.slice(name.indexOf('/') + 1).replaceAll(/[^A-Za-z0-9_-]+/g, '-');
}
