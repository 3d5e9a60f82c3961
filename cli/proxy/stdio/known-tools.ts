import type { ListedTool } from '../exchange.ts';
import { findHeaderArguments, type HeaderArgument } from './header-arguments.ts';
import type { Hub } from './hub.ts';
import { listTools } from './list-tools.ts';

/** A server without sessions tells nobody but its listeners that its tools changed. */
const KEPT_MS = 60_000;
/** A server that does not list its tools in this time is not kept waiting for. */
const WAIT_MS = 2_000;

type ByTool = ReadonlyMap<string, readonly HeaderArgument[]>;
const NOTHING: ByTool = new Map();

/** Which arguments of which tool clients repeat in headers, as the server listed them last. */
export class KnownTools {
  readonly #hub: Hub;
  readonly #now: () => number;
  #known:
    | { readonly of: unknown; readonly changes: number; readonly at: number; readonly tools: ByTool }
    | undefined;
  #asking: Promise<ByTool> | undefined;

  /** @param now milliseconds since the epoch */
  constructor(hub: Hub, now: () => number) {
    this.#hub = hub;
    this.#now = now;
  }

  /** @param isFresh whether the server is asked in any case */
  async find(tool: string, isFresh = false): Promise<readonly HeaderArgument[]> {
    const known = this.#known;
    const isKnown =
      known !== undefined &&
      known.of === this.#hub.greeting &&
      known.changes === this.#hub.toolChanges &&
      this.#now() - known.at < KEPT_MS;
    const tools = isKnown && !isFresh ? known.tools : await this.#ask();
    return tools.get(tool) ?? [];
  }

  #ask(): Promise<ByTool> {
    this.#asking ??= this.#list().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #list(): Promise<ByTool> {
    const { greeting, toolChanges } = this.#hub;
    let listed: readonly ListedTool[];
    try {
      listed = await listTools(this.#hub, AbortSignal.timeout(WAIT_MS));
    } catch {
      // Whoever cannot list tools wants nothing repeated. Asked again a while later.
      listed = [];
    }
    const tools = new Map<string, readonly HeaderArgument[]>();
    for (const tool of listed) {
      const wanted = findHeaderArguments('inputSchema' in tool ? tool.inputSchema : undefined);
      if (wanted.length > 0) tools.set(tool.name, wanted);
    }
    const kept = tools.size > 0 ? tools : NOTHING;
    this.#known = { of: greeting, changes: toolChanges, at: this.#now(), tools: kept };
    return kept;
  }
}
