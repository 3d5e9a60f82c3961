import { z } from 'zod';
import type { Exchange } from '../exchange.ts';
import { splice } from '../json/splice.ts';
import type { Call, Client } from './client.ts';
import { CODES } from './codes.ts';
import { EventStream } from './event-stream.ts';
import type { Hub } from './hub.ts';
import { insertMember } from './insert-member.ts';
import type { Message } from './message.ts';
import { Outlet } from './outlet.ts';
import { refuse } from './refuse.ts';
import { META } from './revisions.ts';
import { type Greeting, isRecord } from './shake-hands.ts';

const filterSchema = z.looseObject({
  toolsListChanged: z.boolean().optional(),
  promptsListChanged: z.boolean().optional(),
  resourcesListChanged: z.boolean().optional(),
  resourceSubscriptions: z.array(z.string()).max(1000).optional(),
});
type Filter = z.infer<typeof filterSchema>;

/** Serves `subscriptions/listen`: what the client asks to be told, for as long as it holds the connection. */
export async function listenTo(
  room: { readonly hub: Hub; readonly streams: Set<{ keepAlive(): void }> },
  exchange: Exchange,
  message: Message,
  greeting: Greeting,
): Promise<void> {
  const params: unknown = message.read('params');
  const parsed = filterSchema.safeParse(isRecord(params) ? (params.notifications ?? {}) : {});
  const idText = message.text('id') ?? 'null';
  if (!parsed.success) {
    const what = 'Invalid params: notifications is not a filter.';
    return refuse(exchange, idText, { status: 400, code: CODES.invalidParams, message: what });
  }
  const { hub, streams } = room;
  const filter = honour(parsed.data, greeting);
  const listener = new Listener(filter, idText);
  const outlet = new Outlet(exchange);
  outlet.startEvents();
  listener.stream.attach(outlet, undefined);
  listener.acknowledge();
  hub.clients.add(listener);
  streams.add(listener.stream);
  for (const uri of filter.resourceSubscriptions ?? []) {
    const isFirst = hub.subscriptions.isFirst(uri);
    hub.subscriptions.add(listener, uri);
    if (isFirst) void hub.ask('resources/subscribe', { uri });
  }
  const { response } = exchange;
  if (!response.destroyed) await new Promise<void>((resolve) => response.once('close', () => resolve()));
  streams.delete(listener.stream);
  hub.leave(listener);
}

/** What of a filter the server can give at all. */
function honour(filter: Filter, { capabilities }: Greeting): Filter {
  const can = (capability: string, feature: string): boolean => {
    const declared = capabilities[capability];
    return isRecord(declared) && declared[feature] === true;
  };
  return {
    ...(filter.toolsListChanged && can('tools', 'listChanged') && { toolsListChanged: true }),
    ...(filter.promptsListChanged && can('prompts', 'listChanged') && { promptsListChanged: true }),
    ...(filter.resourcesListChanged && can('resources', 'listChanged') && { resourcesListChanged: true }),
    ...(filter.resourceSubscriptions &&
      can('resources', 'subscribe') && { resourceSubscriptions: filter.resourceSubscriptions }),
  };
}

class Listener implements Client {
  readonly capabilities: ReadonlySet<string> = new Set();
  readonly calls = new Set<Call>();
  readonly stream = new EventStream({ idPrefix: undefined, maxEvents: 0, maxBytes: 0, isFiltered: false });
  readonly #filter: Filter;
  readonly #idText: string;

  constructor(filter: Filter, idText: string) {
    this.#filter = filter;
    this.#idText = idText;
  }

  acknowledge(): void {
    const params = `{"notifications":${JSON.stringify(this.#filter)},"_meta":{${this.#mark()}}}`;
    const text = `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":${params}}`;
    this.stream.append(Buffer.from(text));
  }

  push(bytes: Buffer, message: Message | undefined): void {
    if (message !== undefined && this.#wants(message.method)) this.stream.append(this.#label(bytes, message));
  }

  isListening(): boolean {
    return false;
  }

  wantsLog(): boolean {
    return false;
  }

  #wants(method: string | undefined): boolean {
    switch (method) {
      case 'notifications/tools/list_changed':
        return this.#filter.toolsListChanged === true;
      case 'notifications/prompts/list_changed':
        return this.#filter.promptsListChanged === true;
      case 'notifications/resources/list_changed':
        return this.#filter.resourcesListChanged === true;
      // The hub sends these to followers only.
      case 'notifications/resources/updated':
        return true;
      default:
        return false;
    }
  }

  #mark(): string {
    return `${JSON.stringify(META.subscriptionId)}:${this.#idText}`;
  }

  #label(bytes: Buffer, message: Message): Buffer {
    const meta = message.span('meta');
    const params = message.span('params');
    const edit = meta
      ? insertMember(bytes, meta, this.#mark())
      : params
        ? insertMember(bytes, params, `"_meta":{${this.#mark()}}`)
        : insertMember(
            bytes,
            { start: bytes.indexOf(0x7b), end: bytes.length },
            `"params":{"_meta":{${this.#mark()}}}`,
          );
    return edit ? splice(bytes, [edit]) : bytes;
  }
}
