import { z } from 'zod';
import type { ListedTool, ServerDescription } from '../exchange.ts';
import type { AskingDeps } from './asking-deps.ts';
import { notMcp } from './asking-errors.ts';
import { type Conversation, openStreamable } from './open-conversation.ts';
import { openSse } from './open-sse-conversation.ts';

const MAX_PAGES = 1000;

const toolsSchema = z.looseObject({
  tools: z.array(
    z.looseObject({ name: z.string(), annotations: z.record(z.string(), z.unknown()).optional() }),
  ),
  nextCursor: z.string().optional(),
});

/** @throws BerthError `server_unreachable`, `server_refused`, `server_not_mcp`, `server_unauthorized` */
export async function probeServer(deps: AskingDeps, signal: AbortSignal): Promise<ServerDescription> {
  const conversation = await open(deps, signal);
  await conversation.close();
  return conversation.description;
}

/** @throws BerthError as `probe` */
export async function listTools(deps: AskingDeps, signal: AbortSignal): Promise<readonly ListedTool[]> {
  const conversation = await open(deps, signal);
  const tools: ListedTool[] = [];
  try {
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const result = await conversation.request('tools/list', cursor === undefined ? {} : { cursor });
      const read = toolsSchema.safeParse(result);
      if (!read.success) throw notMcp(deps, 'its list of tools is malformed');
      for (const { name, annotations = {}, ...rest } of read.data.tools)
        tools.push({ ...rest, name, annotations });
      cursor = read.data.nextCursor;
      if (cursor === undefined) break;
    }
  } finally {
    await conversation.close();
  }
  return tools;
}

function open(deps: AskingDeps, signal: AbortSignal): Promise<Conversation> {
  return deps.options.transport === 'sse' ? openSse(deps, signal) : openStreamable(deps, signal);
}
