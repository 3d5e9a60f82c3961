/** A request as the surfaces read it, free of any framework. */
export interface PlainRequest {
  readonly method: string;
  /** The raw path, still percent-encoded, without the query. */
  readonly path: string;
  /** The raw query without `?`; empty when there is none. */
  readonly query: string;
  header(name: string): string | undefined;
}

/** An answer ready to be written. Header names are in their usual spelling. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for 204, 304 and HEAD. */
  readonly body?: Uint8Array | string;
}
