import type { ListedTool } from '../../proxy/exchange.ts';
import { toCedarValue } from './cedar-value.ts';
import type { CedarValue } from './load-policies.ts';

/** What the server says of its tools is asked again after this time. */
const KNOWN_FOR_MS = 60_000;

export interface ToolAnnotations {
  /** Attributes of a tool by the name the server gives; none for a tool that is not listed. */
  of(tool: string): Promise<Record<string, CedarValue>>;
  /** Forgets what is known: the server said that its tools changed. */
  forget(): void;
}

/**
 * Annotations such as `readOnlyHint`, as policies test them (contract 5, 8). The list is asked of the server when the
 * first decision needs it; requests that come meanwhile share the question.
 * @param now milliseconds, monotonic
 */
export function createToolAnnotations(
  listTools: () => Promise<readonly ListedTool[]>,
  now: () => number,
): ToolAnnotations {
  let known:
    | { readonly tools: Promise<ReadonlyMap<string, Record<string, CedarValue>>>; readonly until: number }
    | undefined;
  const ask = async () => {
    const tools = await listTools();
    return new Map(tools.map((tool) => [tool.name, readAttributes(tool.annotations)]));
  };
  return {
    async of(tool) {
      if (known === undefined || known.until <= now()) {
        const tools = ask();
        const fresh = { tools, until: now() + KNOWN_FOR_MS };
        known = fresh;
        // A list that could not be had is not remembered; the caller learns why.
        tools.catch(() => {
          if (known === fresh) known = undefined;
        });
      }
      return (await known.tools).get(tool) ?? {};
    },
    forget() {
      known = undefined;
    },
  };
}

/** Annotations of one tool as attributes. */
export function readAttributes(annotations: Readonly<Record<string, unknown>>): Record<string, CedarValue> {
  const attributes: Record<string, CedarValue> = {};
  for (const [name, annotation] of Object.entries(annotations)) {
    const value = toCedarValue(annotation);
    if (value !== undefined) attributes[name] = value;
  }
  return attributes;
}
