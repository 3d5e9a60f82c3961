import { formatEvent, type Outlet } from './outlet.ts';

interface KeptEvent {
  readonly number: number;
  readonly data: Buffer;
  readonly isFiltered: boolean;
}

export interface EventStreamOptions {
  /** Put before the number in event ids; undefined for a stream without ids, which keeps nothing. */
  readonly idPrefix: string | undefined;
  readonly maxEvents: number;
  readonly maxBytes: number;
  /** True when everything in it passed the filters of its call already; else it passes those of the connection. */
  readonly isFiltered: boolean;
}

/**
 * Numbered messages for one client, over one connection after another. What was sent is kept for a while, so that a
 * client may go on after the last event it saw; what came while no connection was open waits for the next one.
 */
export class EventStream {
  readonly #options: EventStreamOptions;
  #kept: KeptEvent[] = [];
  #bytes = 0;
  #last = 0;
  #delivered = 0;
  #hasEnded = false;
  readonly #outlets: Outlet[] = [];

  constructor(options: EventStreamOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#outlets.length > 0;
  }
  get hasEnded(): boolean {
    return this.#hasEnded;
  }
  get keptBytes(): number {
    return this.#bytes;
  }

  /** @param isFiltered true when this message passed the filters of its call already */
  append(data: Buffer, isFiltered = this.#options.isFiltered): void {
    if (this.#hasEnded) return;
    this.#last += 1;
    const event = { number: this.#last, data, isFiltered };
    if (this.#options.idPrefix !== undefined) this.#keep(event);
    const outlet = this.#outlets.at(-1);
    if (outlet) this.#send(outlet, event);
  }

  /**
   * Goes on over another connection.
   *
   * @param after number of the last event the client has; undefined when it does not say
   */
  attach(outlet: Outlet, after: number | undefined): void {
    const from = after ?? this.#delivered;
    outlet.response.once('close', () => this.#detach(outlet));
    this.#outlets.push(outlet);
    for (const event of this.#kept) if (event.number > from) this.#send(outlet, event);
    if (this.#hasEnded) outlet.after(() => outlet.response.end());
  }

  /** Ends it after the last message. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const outlet of this.#outlets) outlet.after(() => outlet.response.end());
  }

  /** A comment, so that nothing between client and proxy takes the connection for dead. */
  keepAlive(): void {
    for (const outlet of this.#outlets) outlet.writeFrame(': keep-alive\n\n');
  }

  /** Forgets everything and cuts every connection. */
  close(): void {
    this.end();
    this.#kept = [];
    this.#bytes = 0;
  }

  #send(outlet: Outlet, { number, data, isFiltered }: KeptEvent): void {
    const { idPrefix } = this.#options;
    const id = idPrefix === undefined ? undefined : `${idPrefix}${number}`;
    this.#delivered = Math.max(this.#delivered, number);
    if (isFiltered) outlet.after(() => outlet.writeFrame(formatEvent(data, id)));
    else outlet.deliver(data, (filtered) => outlet.writeFrame(formatEvent(filtered, id)));
  }

  #keep(event: KeptEvent): void {
    const { maxEvents, maxBytes } = this.#options;
    this.#kept.push(event);
    this.#bytes += event.data.length;
    while (this.#kept.length > 1 && (this.#kept.length > maxEvents || this.#bytes > maxBytes)) {
      this.#bytes -= this.#kept.shift()?.data.length ?? 0;
    }
  }

  #detach(outlet: Outlet): void {
    const at = this.#outlets.indexOf(outlet);
    if (at >= 0) this.#outlets.splice(at, 1);
  }
}
