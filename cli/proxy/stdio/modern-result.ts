import { compilePaths, findSpans } from '../json/find-spans.ts';
import { type Edit, splice } from '../json/splice.ts';
import { insertMember } from './insert-member.ts';
import { META } from './revisions.ts';
import type { Greeting } from './shake-hands.ts';

const PLACES = compilePaths([
  ['result'],
  ['result', 'resultType'],
  ['result', 'ttlMs'],
  ['result', 'cacheScope'],
  ['result', '_meta'],
  ['result', '_meta', META.serverInfo],
]);

/** Methods whose results say how long they may be kept. */
const CACHEABLE: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

/**
 * Gives the result of an older server what revision 2026-07-28 wants in it: `resultType`, `serverInfo` in `_meta`, and
 * for lists that they must not be kept. What is there already stays, and so does every other byte.
 */
export function modernizeResult(answer: Buffer, method: string, greeting: Greeting): Buffer {
  const [result, resultType, ttl, scope, meta, info] = findSpans(answer, PLACES);
  if (result === undefined) return answer;
  const members: string[] = [];
  if (resultType === undefined) members.push('"resultType":"complete"');
  if (CACHEABLE.has(method)) {
    if (ttl === undefined) members.push('"ttlMs":0');
    if (scope === undefined) members.push('"cacheScope":"private"');
  }
  const edits: (Edit | undefined)[] = [];
  const infoMember = `${JSON.stringify(META.serverInfo)}:${greeting.serverInfoText}`;
  if (meta === undefined) members.push(`"_meta":{${infoMember}}`);
  else if (info === undefined) edits.push(insertMember(answer, meta, infoMember));
  if (members.length > 0) edits.push(insertMember(answer, result, members.join(',')));
  return splice(
    answer,
    edits.filter((edit) => edit !== undefined),
  );
}

/** The answer to `server/discover` for a server that does not know that method. */
export function describeServer(greeting: Greeting, supportedVersions: readonly string[]): string {
  const instructions =
    greeting.instructionsText === undefined ? '' : `"instructions":${greeting.instructionsText},`;
  return (
    `{"resultType":"complete","supportedVersions":${JSON.stringify(supportedVersions)},` +
    `"capabilities":${greeting.capabilitiesText},${instructions}"ttlMs":60000,"cacheScope":"private",` +
    `"_meta":{${JSON.stringify(META.serverInfo)}:${greeting.serverInfoText}}}`
  );
}
