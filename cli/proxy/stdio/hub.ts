import { isUtf8 } from 'node:buffer';
import { BerthError } from '../../../sources/errors.ts';
import type { AttachedStreams } from '../../engine/engine.ts';
import type { ProxyLog } from '../proxy.ts';
import { attributeMessage } from './attribute-message.ts';
import type { Call, Client, Reply } from './client.ts';
import { CODES } from './codes.ts';
import { Connection } from './connection.ts';
import { findMostVerbose } from './log-levels.ts';
import {
  asLine,
  formatError,
  formatResult,
  keyOfId,
  type Message,
  readBatch,
  readMessage,
} from './message.ts';
import { OwnClient, promiseReply } from './own-calls.ts';
import { PendingCalls } from './pending-calls.ts';
import { findCapability, ServerRequests } from './server-requests.ts';
import { type Greeting, isRecord, shakeHands } from './shake-hands.ts';
import { Subscriptions } from './subscriptions.ts';

export interface HubOptions {
  /** 0 for none. */
  readonly requestTimeoutMs: number;
  readonly maxLineBytes: number;
  readonly log: ProxyLog;
}

/** How long requests wait for a server that is being initialised. */
const READY_WAIT_MS = 10_000;
/** At most one report of unreadable output in this time. */
const REPORT_EVERY_MS = 10_000;
const MAX_OWNERS = 10_000;

/**
 * The one process and its many clients: gives every request an id of its own towards the server, and brings what the
 * server says to whom it concerns (contract 5). One file, because all of it hangs on the same tables.
 */
export class Hub {
  readonly #options: HubOptions;
  readonly #calls: PendingCalls;
  readonly #requests = new ServerRequests();
  readonly subscriptions = new Subscriptions();
  /** Clients that hear what concerns everybody. */
  readonly clients = new Set<Client>();
  /** How often the server said that its tools changed. */
  toolChanges = 0;
  /** Levels asked for with `logging/setLevel`. */
  readonly #levels = new Map<Client, string>();
  #level: string | undefined;
  readonly #own = new OwnClient();
  /** Clients by the tasks and elicitations that are theirs. */
  readonly #owners = new Map<string, Client>();
  #connection: Connection | undefined;
  #greeting: Greeting | undefined;
  #handshake: Promise<void> | undefined;
  #refusal: BerthError | undefined;
  #waiters: (() => void)[] = [];
  #counter = 0;
  #reportedAt = 0;
  #unreported = 0;

  constructor(options: HubOptions) {
    this.#options = options;
    this.#calls = new PendingCalls(options.requestTimeoutMs, (call) => this.#timeOut(call));
  }

  /** What the server said of itself; undefined while it is away or not initialised. */
  get greeting(): Greeting | undefined {
    return this.#connection === undefined ? undefined : this.#greeting;
  }

  /** Why it could not be initialised; undefined unless that is so. */
  get refusal(): BerthError | undefined {
    return this.#refusal;
  }

  /** For tests and reports: how much is held for clients. */
  get held(): { readonly calls: number; readonly requests: number; readonly clients: number } {
    return { calls: this.#calls.size, requests: this.#requests.size, clients: this.clients.size };
  }

  // --- the process ---------------------------------------------------------------------------------------------

  attach(streams: AttachedStreams): void {
    this.#connection?.end('it was replaced');
    this.#refusal = undefined;
    this.#greeting = undefined;
    const connection = new Connection(streams, this.#options.maxLineBytes, {
      onLine: (line) => this.#readLine(line),
      onLong: ({ head, length }) => this.#refuseLine(head, `a line of ${length} bytes is too long`),
      onGone: (reason) => this.#lose(connection, reason),
    });
    this.#connection = connection;
    this.#handshake = this.#initialize(connection);
  }

  detach(reason: string): void {
    this.#connection?.end(reason);
  }

  /** Waits until the server is initialised, refuses, or goes away; at most as long as a client may be kept waiting. */
  async settle(): Promise<void> {
    if (this.greeting !== undefined || this.#connection === undefined) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, READY_WAIT_MS);
    });
    await Promise.race([this.#handshake, late]);
    clearTimeout(timer);
  }

  /** Resolves at the next change of state: attached, initialised, refused, gone. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  get isAttached(): boolean {
    return this.#connection !== undefined;
  }

  async #initialize(connection: Connection): Promise<void> {
    try {
      const greeting = await shakeHands(async (method, params) => {
        const answer = await this.#askOver(connection, method, params, false);
        if (answer === undefined)
          throw new BerthError('server_unreachable', 'The server ended before it answered.');
        return answer;
      });
      if (this.#connection !== connection) return;
      this.#greeting = greeting;
      if (greeting.era === 'legacy') {
        connection.write(Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}'));
        this.#restore(connection);
      }
    } catch (error) {
      if (this.#connection !== connection) return;
      this.#refusal = error instanceof BerthError ? error : new BerthError('server_not_mcp', String(error));
    } finally {
      this.#announce();
    }
  }

  /** What clients had asked of an earlier life of the process. */
  #restore(connection: Connection): void {
    for (const uri of this.subscriptions.list()) {
      void this.#askOver(connection, 'resources/subscribe', { uri });
    }
    if (this.#level !== undefined) void this.#askOver(connection, 'logging/setLevel', { level: this.#level });
  }

  #announce(): void {
    for (const wake of this.#waiters.splice(0)) wake();
  }

  #lose(connection: Connection, reason: string): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#greeting = undefined;
    for (const call of this.#calls.list()) {
      this.#fail(call, CODES.unavailable, `The server went away before it answered: ${reason}.`, 502);
    }
    for (const { id, request } of this.#requests.takeAll(() => true)) {
      const text = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":"the server went away"}}`;
      request.client.push(Buffer.from(text), undefined);
    }
    this.#announce();
  }

  // --- from clients --------------------------------------------------------------------------------------------

  /** False while no request can be taken: the server is away, not initialised, or does not read. */
  get isReady(): boolean {
    return this.greeting !== undefined && this.#connection?.isReading === true;
  }

  /** Sends a request of a client. Only to be called while `isReady`. */
  call(client: Client, request: Message, reply: Reply): Call {
    this.#counter += 1;
    const upstreamId = this.#counter;
    const idText = request.text('id') ?? 'null';
    const call: Call = {
      upstreamId,
      client,
      method: request.method ?? '',
      idText,
      tokenText: request.text('callToken'),
      request,
      reply,
    };
    this.#calls.add(call);
    const id = String(upstreamId);
    this.#connection?.write(asLine(request.replace({ id, callToken: id })));
    return call;
  }

  /** Asks the server on behalf of the proxy; undefined when it goes away or is late. */
  ask(method: string, params: unknown): Promise<Message | undefined> {
    if (this.#connection === undefined) return Promise.resolve(undefined);
    return this.#askOver(this.#connection, method, params);
  }

  async #askOver(
    connection: Connection,
    method: string,
    params: unknown,
    isTimed = true,
  ): Promise<Message | undefined> {
    const { reply, answered } = promiseReply();
    const message = readMessage(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 0, method, params })));
    if (message === undefined || this.#connection !== connection) return undefined;
    const call = this.call(this.#own, message, reply);
    // A server may take its time to start; who waits for that decides for how long.
    if (!isTimed) this.#calls.hold(call);
    return answered;
  }

  /** Sends a notification of a client on, as it is. */
  notify(bytes: Buffer): void {
    this.#connection?.write(asLine(bytes));
  }

  /** A client cancels one of its calls. Ids that are none of its are nobody's business. */
  cancel(client: Client, notification: Message): void {
    const idText = notification.text('requestId');
    if (idText === undefined) return;
    const key = keyOfId(idText);
    const call = [...client.calls].findLast((candidate) => keyOfId(candidate.idText) === key);
    if (call === undefined || call.method === 'initialize' || !this.#calls.remove(call)) return;
    this.notify(notification.replace({ requestId: String(call.upstreamId) }));
    call.reply.drop();
    this.#abandonRequests(call);
  }

  /** Gives up a call and tells the server. */
  abandon(call: Call, reason: string): void {
    if (!this.#calls.remove(call)) return;
    this.#sendCancel(call, reason);
    this.#abandonRequests(call);
  }

  /** The client is asked something: the time it takes does not count. */
  pause(client: Client): void {
    for (const call of client.calls) this.#calls.hold(call);
  }

  /** It has answered. */
  resume(client: Client): void {
    for (const call of client.calls) this.#calls.restart(call);
  }

  /** A client answers a request of the server. */
  answer(client: Client, answer: Message): void {
    const request = this.#requests.take(client, answer);
    if (request !== undefined) this.notify(answer.replace({ id: request.idText }));
  }

  /** A client reports progress with a request of the server. */
  reportProgress(client: Client, notification: Message): void {
    const token = notification.text('progressToken');
    if (token !== undefined && this.#requests.hasToken(client, token)) this.notify(notification.bytes);
  }

  /** Frees everything a client held. @param isCancelled whether the server is told that its calls are given up */
  leave(client: Client, isCancelled = true): void {
    this.clients.delete(client);
    for (const call of [...client.calls]) {
      if (isCancelled) this.abandon(call, 'the client went away');
      call.reply.drop();
    }
    for (const { request } of this.#requests.takeAll((candidate) => candidate.client === client)) {
      this.notify(formatError(request.idText, CODES.internal, 'The client went away.'));
    }
    for (const uri of this.subscriptions.removeAll(client)) {
      if (this.isReady) void this.ask('resources/unsubscribe', { uri });
    }
    for (const [key, owner] of this.#owners) if (owner === client) this.#owners.delete(key);
    if (this.#levels.delete(client)) this.#adjustLevel();
  }

  // --- log levels ----------------------------------------------------------------------------------------------

  /** Whether the server has to be told of a level a client asks for: the most verbose one wins. */
  isNewLevel(client: Client, level: string): boolean {
    return this.#level === undefined || this.#mostVerbose(client, level) !== this.#level;
  }

  /** The level to ask the server for when a client wants `level`. */
  chooseLevel(client: Client, level: string): string {
    return this.#mostVerbose(client, level) ?? level;
  }

  /** A client asked for a level, and the server took it. */
  rememberLevel(client: Client, level: string): void {
    this.#levels.set(client, level);
    this.#level = findMostVerbose(this.#levels.values());
  }

  #mostVerbose(client: Client, level: string): string | undefined {
    return findMostVerbose(new Map(this.#levels).set(client, level).values());
  }

  #adjustLevel(): void {
    const level = findMostVerbose(this.#levels.values());
    if (level === undefined || level === this.#level) return;
    this.#level = level;
    if (this.isReady) void this.ask('logging/setLevel', { level });
  }

  // --- from the server -----------------------------------------------------------------------------------------

  #readLine(raw: Buffer): void {
    const line = raw.at(-1) === 0x0d ? raw.subarray(0, -1) : raw;
    if (line.length === 0) return;
    const message = readMessage(line);
    if (message === undefined) {
      const batch = readBatch(line);
      if (batch === undefined) {
        this.#refuseLine(line, 'a line is no JSON');
        return;
      }
      for (const one of batch) if (one) this.#take(one);
      return;
    }
    this.#take(message);
  }

  #take(message: Message): void {
    if (!isUtf8(message.bytes)) {
      this.#refuseLine(message.bytes, 'a message is not UTF-8');
      return;
    }
    switch (message.kind) {
      case 'answer':
        this.#takeAnswer(message);
        return;
      case 'notification':
        this.#takeNotification(message);
        return;
      case 'request':
        this.#takeRequest(message);
        return;
      case 'invalid':
        this.#report('a message is no JSON-RPC');
        return;
    }
  }

  #takeAnswer(message: Message): void {
    const call = this.#findByText(message.text('id'));
    if (call === undefined || !this.#calls.remove(call)) {
      this.#report('an answer belongs to no call');
      return;
    }
    this.#abandonRequests(call);
    if (call.request.span('params') !== undefined && message.span('result') !== undefined) {
      this.#rememberTask(call, message);
    }
    call.reply.answer(message.replace({ id: call.idText }), message, 200);
  }

  #takeNotification(message: Message): void {
    switch (message.method) {
      case 'notifications/progress': {
        const call = this.#findByText(message.text('progressToken'));
        if (call?.tokenText === undefined) return;
        this.#calls.refresh(call);
        this.#relate(call, message.replace({ progressToken: call.tokenText }), message);
        return;
      }
      case 'notifications/cancelled': {
        const taken = this.#requests.takeByServerId(message.text('requestId') ?? '');
        if (taken === undefined) return;
        const { id, request } = taken;
        const bytes = message.replace({ requestId: id });
        if (!request.cause || !request.cause.reply.relate(bytes)) request.client.push(bytes, message);
        return;
      }
      case 'notifications/resources/updated': {
        const uri = message.string('uri');
        if (uri === undefined) return;
        for (const client of this.subscriptions.find(uri)) client.push(message.bytes, message);
        return;
      }
      case 'notifications/message': {
        const level = message.string('level') ?? '';
        const call = this.#attribute(message, (client) => client.wantsLog(level));
        if (call) {
          this.#relate(call, message.bytes, message);
          return;
        }
        if (this.#hasCalls()) return;
        for (const client of this.clients) if (client.wantsLog(level)) client.push(message.bytes, message);
        return;
      }
      default:
        this.#takeOther(message);
        return;
    }
  }

  #takeOther(message: Message): void {
    const subscription = message.text('subscriptionId');
    if (subscription !== undefined) {
      const call = this.#findByText(subscription);
      if (call) call.reply.relate(message.replace({ subscriptionId: call.idText }));
      return;
    }
    if (message.method?.endsWith('/list_changed')) {
      if (message.method === 'notifications/tools/list_changed') this.toolChanges += 1;
      for (const client of this.clients) client.push(message.bytes, message);
      return;
    }
    const owner = this.#findOwner(message);
    if (owner) {
      owner.push(message.bytes, message);
      return;
    }
    const call = this.#attribute(message, () => true);
    if (call) {
      this.#relate(call, message.bytes, message);
      return;
    }
    // What names a task or an elicitation is somebody's, even when nobody knows any more whose.
    if (
      message.method === 'notifications/tasks/status' ||
      message.method?.startsWith('notifications/elicitation/')
    )
      return;
    for (const client of this.clients) client.push(message.bytes, message);
  }

  #takeRequest(message: Message): void {
    const idText = message.text('id') ?? 'null';
    const method = message.method ?? '';
    if (method === 'ping') {
      this.notify(formatResult(idText, '{}'));
      return;
    }
    const capability = findCapability(method);
    const accepts = (client: Client): boolean =>
      capability === undefined || client.capabilities.has(capability);
    const owner = this.#findOwner(message);
    const cause = owner ? undefined : this.#attribute(message, accepts);
    const client = owner ?? cause?.client ?? (this.#hasCalls() ? undefined : this.#findListening(accepts));
    if (client === undefined || !accepts(client)) {
      if (capability !== undefined) this.#attribute(message, () => true)?.reply.miss?.(capability);
      const why =
        capability === undefined
          ? 'No client can take it.'
          : `No client with the capability ${capability} caused it.`;
      this.notify(formatError(idText, CODES.methodNotFound, `${method}: ${why}`));
      return;
    }
    const tokenText = message.text('callToken');
    const id = this.#requests.add({ client, cause, idText, tokenText, method });
    const elicitation: unknown = method === 'elicitation/create' ? readElicitationId(message) : undefined;
    if (typeof elicitation === 'string') this.#remember(`elicitation:${elicitation}`, client);
    if (cause?.reply.ask) {
      cause.reply.ask(id, message);
      return;
    }
    const bytes = message.replace({ id });
    if (cause?.reply.relate(bytes)) return;
    if (client.isListening() || cause === undefined) {
      client.push(bytes, message);
      return;
    }
    if (this.clients.has(client)) {
      client.push(bytes, message);
      return;
    }
    this.#requests.forget(id);
    this.notify(
      formatError(idText, CODES.methodNotFound, `${method}: the client cannot be asked on this connection.`),
    );
  }

  #relate(call: Call, bytes: Buffer, message: Message): void {
    if (!call.reply.relate(bytes)) call.client.push(bytes, message);
  }

  #attribute(message: Message, accepts: (client: Client) => boolean): Call | undefined {
    const calls = this.#calls.list().filter(({ client }) => client !== this.#own);
    return attributeMessage(calls, message, accepts, (call) => this.#requests.countCausedBy(call));
  }

  #hasCalls(): boolean {
    return this.#calls.list().some(({ client }) => client !== this.#own);
  }

  /** Nobody's call is under way: whoever listens and was there last. */
  #findListening(accepts: (client: Client) => boolean): Client | undefined {
    return [...this.clients].findLast((client) => accepts(client) && client.isListening());
  }

  #findByText(text: string | undefined): Call | undefined {
    return text !== undefined && /^\d{1,15}$/.test(text) ? this.#calls.find(Number(text)) : undefined;
  }

  #findOwner(message: Message): Client | undefined {
    const task = message.string('relatedTask') ?? message.string('taskId');
    if (task !== undefined) return this.#owners.get(`task:${task}`);
    const elicitation = readElicitationId(message);
    return elicitation === undefined ? undefined : this.#owners.get(`elicitation:${elicitation}`);
  }

  #rememberTask({ request, client }: Call, answer: Message): void {
    if (!request.bytes.includes('"task"')) return;
    const result: unknown = answer.read('result');
    if (isRecord(result) && isRecord(result.task) && typeof result.task.taskId === 'string') {
      this.#remember(`task:${result.task.taskId}`, client);
    }
  }

  #remember(key: string, client: Client): void {
    if (!this.clients.has(client)) return;
    this.#owners.set(key, client);
    if (this.#owners.size > MAX_OWNERS) {
      const oldest = this.#owners.keys().next();
      if (!oldest.done) this.#owners.delete(oldest.value);
    }
  }

  // --- ends of calls -------------------------------------------------------------------------------------------

  #timeOut(call: Call): void {
    const seconds = this.#options.requestTimeoutMs / 1000;
    this.#sendCancel(call, `timed out after ${seconds} s`);
    this.#fail(call, CODES.timedOut, `The call timed out after ${seconds} s.`, 504);
  }

  #fail(call: Call, code: number, message: string, status: number): void {
    if (!this.#calls.remove(call)) return;
    this.#abandonRequests(call);
    call.reply.answer(formatError(call.idText, code, message), undefined, status);
  }

  #sendCancel(call: Call, reason: string): void {
    const params = { requestId: call.upstreamId, reason };
    this.notify(Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params })));
  }

  /** What the server asked because of a call that is over: it may still be answered, by who was asked. */
  #abandonRequests(call: Call): void {
    if (this.#requests.size === 0) return;
    // A client without a session can be reached on the connection of its call only.
    for (const { request } of this.#requests.takeAll(
      (candidate) => candidate.cause === call && !this.clients.has(candidate.client),
    )) {
      this.notify(formatError(request.idText, CODES.internal, 'The client went away.'));
    }
  }

  /** Answers the call a broken line was for, if its beginning tells. */
  #refuseLine(line: Buffer, what: string): void {
    const head = line.toString('latin1', 0, 256);
    const id =
      /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*,\s*"(?:result|error)"/.exec(
        head,
      )?.[1];
    const call = this.#findByText(id);
    if (call)
      this.#fail(call, CODES.unavailable, `The answer of the server cannot be passed on: ${what}.`, 502);
    this.#report(what);
  }

  #report(what: string): void {
    const now = performance.now();
    this.#unreported += 1;
    if (this.#reportedAt !== 0 && now - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#reportedAt = now;
    this.#options.log('warn', { count: this.#unreported }, `output of the server was dropped: ${what}`);
    this.#unreported = 0;
  }
}

function readElicitationId(message: Message): string | undefined {
  if (!message.method?.includes('elicitation')) return undefined;
  const params: unknown = message.read('params');
  return isRecord(params) && typeof params.elicitationId === 'string' ? params.elicitationId : undefined;
}
