import type { ListedTool } from '../proxy/exchange.ts';

/** What stands for every name that is not known: a client may ask for any, and each would be a series of its own. */
export const OTHER = 'other';

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
  /** The tool as a label: its name when the server lists it. */
  bound(tool: string): Promise<string>;
}

/** Learns the names of the server's tools with the first call, and anew when a name is not among them. */
export function createToolNames(
  listTools: () => Promise<readonly ListedTool[]>,
  elapsed: () => number,
): ToolNames {
  const ASK_EVERY_MS = 30_000;
  let known: Promise<ReadonlySet<string>> = Promise.resolve(new Set<string>());
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    async bound(tool) {
      if ((await known).has(tool)) return tool;
      if (elapsed() - askedAt >= ASK_EVERY_MS) {
        askedAt = elapsed();
        // A server that cannot be asked shows in its own errors; until then its tools are `other`.
        known = listTools().then(
          (tools) => new Set(tools.map(({ name }) => name)),
          () => new Set<string>(),
        );
      }
      return (await known).has(tool) ? tool : OTHER;
    },
  };
}
