import { closeWithin } from '../../server/observe/close-within.ts';
import type { ListedTool } from '../proxy/exchange.ts';

/** What stands for every name that is not known: a client may ask for any, and each would be a series of its own. */
export const OTHER = 'other';

/** A tool that is not listed makes nobody ask again before this time is over. */
const ASK_EVERY_MS = 30_000;
/** What a call may be held up for, once. */
const WAIT_MS = 1_000;

/** Methods of MCP, in both eras. */
const METHODS = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'subscriptions/listen',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tasks/cancel',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
]);

/** A method as a label (contract 5: label values are bounded). */
export function boundMethod(method: string): string {
  return METHODS.has(method) ? method : OTHER;
}

export interface ToolNames {
  /** Makes sure that it is known whether the server lists a tool; waits for its list at most a moment. */
  learn(tool: string): Promise<void>;
  /** The tool as a label: its name when the server is known to list it. */
  bound(tool: string): string;
}

/**
 * Learns the names of the server's tools before the first call, and anew when a name is not among them, so that a call
 * is counted under its name as soon as it is answered.
 */
export function createToolNames(
  listTools: () => Promise<readonly ListedTool[]>,
  elapsed: () => number,
): ToolNames {
  let known: ReadonlySet<string> = new Set();
  /** The question that is under way. */
  let asking: Promise<void> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  const ask = async (): Promise<void> => {
    // A server that cannot be asked shows in its own errors; until then its tools are what they were.
    const tools = await listTools().catch(() => undefined);
    if (tools !== undefined) known = new Set(tools.map(({ name }) => name));
    asking = undefined;
  };
  return {
    async learn(tool) {
      if (known.has(tool)) return;
      if (elapsed() - askedAt >= ASK_EVERY_MS) {
        askedAt = elapsed();
        asking = ask();
      }
      if (asking !== undefined) await closeWithin(WAIT_MS, asking);
    },
    bound: (tool) => (known.has(tool) ? tool : OTHER),
  };
}
