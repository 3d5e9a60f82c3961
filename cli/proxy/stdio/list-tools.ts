import { z } from 'zod';
import { BerthError } from '../../../sources/errors.ts';
import type { ListedTool } from '../exchange.ts';
import type { Hub } from './hub.ts';
import { ownMeta, readError } from './shake-hands.ts';

const pageSchema = z.looseObject({
  tools: z.array(
    z.looseObject({ name: z.string(), annotations: z.record(z.string(), z.unknown()).default({}) }),
  ),
  nextCursor: z.string().optional(),
});

/** A server whose pages never end is not asked for more than these. */
const MAX_PAGES = 1000;

/**
 * Every tool of the server, all pages. None when the server says that it has no tools.
 *
 * @throws BerthError `server_unreachable`, `server_refused`, `server_not_mcp`
 */
export async function listTools(hub: Hub, signal: AbortSignal): Promise<ListedTool[]> {
  await hub.settle();
  const { greeting } = hub;
  if (greeting === undefined) throw new BerthError('server_unreachable', 'The server is not available.');
  if (greeting.capabilities.tools === undefined) return [];
  const meta = greeting.era === 'modern' ? { _meta: ownMeta() } : {};
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await orAborted(
      hub.ask('tools/list', { ...meta, ...(cursor !== undefined && { cursor }) }),
      signal,
    );
    if (answer === undefined)
      throw new BerthError('server_unreachable', 'The server did not answer tools/list.');
    if (answer.span('result') === undefined)
      throw new BerthError('server_refused', `tools/list: ${readError(answer)}`);
    const parsed = pageSchema.safeParse(answer.read('result'));
    if (!parsed.success)
      throw new BerthError('server_not_mcp', 'The answer to tools/list is no list of tools.');
    tools.push(...parsed.data.tools);
    cursor = parsed.data.nextCursor;
    if (cursor === undefined) return tools;
  }
  throw new BerthError('server_not_mcp', `The list of tools has more than ${MAX_PAGES} pages.`);
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return Promise.race([
    promise,
    new Promise<undefined>((resolve) =>
      signal.addEventListener('abort', () => resolve(undefined), { once: true }),
    ),
  ]);
}
