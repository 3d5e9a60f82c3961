import type { Message } from './message.ts';

/** Somebody on the other side of the proxy: a session, a stream of SSE, or a single request without a session. */
export interface Client {
  /** Names of the capabilities it declared (`sampling`, `elicitation`, `roots`). */
  readonly capabilities: ReadonlySet<string>;
  /** What it waits for, oldest first. */
  readonly calls: Set<Call>;
  /** Sends what belongs to no call of its. */
  push(bytes: Buffer, message: Message | undefined): void;
  /** Whether `push` can reach it now. */
  isListening(): boolean;
  /** Whether it wants log messages of this level. */
  wantsLog(level: string): boolean;
}

/** Where the answer of a call goes. */
export interface Reply {
  /** Sends a message that belongs to the call, ahead of its answer. False when that is impossible: nothing was sent. */
  relate(bytes: Buffer): boolean;
  /**
   * Puts a request of the server to a client that can only be asked by the answer of its call.
   *
   * @param id the client's answer is to carry, as JSON text
   */
  ask?(id: string, request: Message): void;
  /** Tells that the server asked for something the client did not declare, and was refused. */
  miss?(capability: string): void;
  /**
   * Sends the answer, with the id of the client in it.
   *
   * @param message the answer of the server before its id was restored; undefined when the proxy answers
   * @param status for an answer with an HTTP status of its own
   */
  answer(bytes: Buffer, message: Message | undefined, status: number): void;
  /** Ends without an answer: the client has cancelled the call. */
  drop(): void;
}

/** A request that the server has and has not answered. */
export interface Call {
  /** The id the server knows it by; also its progress token. */
  readonly upstreamId: number;
  readonly client: Client;
  readonly method: string;
  /** As the client wrote them. */
  readonly idText: string;
  readonly tokenText: string | undefined;
  /** The bytes of the client, for finding out whose call caused something. */
  readonly request: Message;
  readonly reply: Reply;
}
