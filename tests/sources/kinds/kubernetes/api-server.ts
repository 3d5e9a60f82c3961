/**
 * A Kubernetes API server for tests: discovery, lists in pages, watches as JSON lines with resource versions, bookmarks,
 * 410 Gone and connections that break, spoken over loopback. It holds custom resources in memory and nothing else. A
 * real API server is not to be had as a package and takes minutes to build, so it is not part of the tests; what it does
 * was compared by hand with k8s.io/apiextensions-apiserver 0.33 on etcd: discovery, pages, events, 410 as an event, 429
 * after a start, and the removal of a definition.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { stringify } from 'yaml';

export interface ResourceParts {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly image?: string;
  readonly statusUrl?: string;
  readonly deletionTimestamp?: string;
}

interface StoredObject {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly resourceVersion: string };
}

interface Definition {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly versions: readonly string[];
}

interface WatchEvent {
  readonly version: number;
  readonly plural: string;
  readonly namespace: string;
  readonly line: string;
}

interface Watcher {
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly response: ServerResponse;
}

export interface SeenRequest {
  readonly verb: 'discover' | 'list' | 'watch';
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly version: string;
  /** Where a watch was asked to begin. */
  readonly from: string | undefined;
}

export const GROUP = 'toolhive.stacklok.dev';
export const TOKEN = 'token-of-the-test';
const CREATED = '2026-01-02T03:04:05Z';

export class ApiServer {
  readonly requests: SeenRequest[] = [];
  /** Most items of a page, whatever is asked for. */
  pageSize = 500;
  /** Continuations are answered with 410 so many times. */
  expiredPages = 0;
  acceptedToken = TOKEN;
  /** So many watches are answered 429, as after a start of the server. */
  busyWatches = 0;
  /** Lists are allowed, watches are not. */
  deniesWatches = false;
  #server: Server;
  #port = 0;
  readonly #sockets = new Set<Socket>();
  readonly #definitions = new Map<string, Definition>();
  readonly #objects = new Map<string, Map<string, StoredObject>>();
  readonly #watchers = new Set<Watcher>();
  readonly #denied = new Set<string>();
  #events: WatchEvent[] = [];
  #version = 100;
  /** Events up to here are forgotten. */
  #compacted = 0;

  private constructor() {
    this.#server = this.#create();
  }

  static async start(): Promise<ApiServer> {
    const api = new ApiServer();
    await api.up();
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get version(): number {
    return this.#version;
  }

  get watchCount(): number {
    return this.#watchers.size;
  }

  kubeconfig(change: { readonly token?: string } = {}): string {
    return stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      clusters: [{ name: 'test', cluster: { server: this.url, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'berth', user: { token: change.token ?? TOKEN } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'berth' } }],
    });
  }

  define(plural: string, kind: string, versions: readonly string[] = ['v1beta1'], group = GROUP): void {
    this.#definitions.set(plural, { group, plural, kind, versions });
    this.#objects.set(plural, this.#objects.get(plural) ?? new Map());
  }

  /** Removes a definition with its resources, as the cluster does: watches end after what was deleted was told. */
  undefine(plural: string): void {
    for (const key of [...(this.#objects.get(plural)?.keys() ?? [])]) {
      const [namespace = '', name = ''] = key.split('/');
      this.remove(plural, namespace, name);
    }
    this.#definitions.delete(plural);
    for (const watcher of this.#watchers) if (watcher.plural === plural) this.#end(watcher);
  }

  put(plural: string, namespace: string, name: string, parts: ResourceParts = {}): void {
    const objects = this.#objects.get(plural);
    const key = `${namespace}/${name}`;
    const type = objects?.has(key) ? 'MODIFIED' : 'ADDED';
    const version = ++this.#version;
    const object = {
      apiVersion: `${GROUP}/v1beta1`,
      kind: this.#definitions.get(plural)?.kind,
      metadata: {
        name,
        namespace,
        uid: key,
        resourceVersion: String(version),
        creationTimestamp: CREATED,
        ...(parts.annotations ? { annotations: parts.annotations } : {}),
        ...(parts.deletionTimestamp ? { deletionTimestamp: parts.deletionTimestamp } : {}),
      },
      spec: { transport: 'streamable-http', ...(parts.image ? { image: parts.image } : {}) },
      ...(parts.statusUrl ? { status: { url: parts.statusUrl } } : {}),
    };
    objects?.set(key, object);
    this.#tell(plural, namespace, type, object);
  }

  remove(plural: string, namespace: string, name: string): void {
    const objects = this.#objects.get(plural);
    const object = objects?.get(`${namespace}/${name}`);
    if (!object) return;
    objects?.delete(`${namespace}/${name}`);
    const metadata = { ...object.metadata, resourceVersion: String(++this.#version) };
    this.#tell(plural, namespace, 'DELETED', { ...object, metadata });
  }

  /** Forgets what happened so far: a watch from before is answered 410. */
  compact(): void {
    this.#events = [];
    this.#compacted = this.#version;
  }

  /** Tells every watch where it stands. */
  bookmark(): void {
    for (const { response } of this.#watchers) {
      const object = { kind: 'Bookmark', metadata: { resourceVersion: String(this.#version) } };
      response.write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
    }
  }

  /** Lets time pass that changes nothing of what is watched. */
  skipVersions(count: number): void {
    this.#version += count;
  }

  /** Ends every watch as the server does after `timeoutSeconds`. */
  endWatches(): void {
    for (const watcher of this.#watchers) this.#end(watcher);
  }

  /** Breaks every connection, each in the middle of a line. */
  async breakConnections(): Promise<void> {
    const written = [...this.#watchers].map(
      ({ response }) => new Promise((resolve) => response.write('{"type":"MODIF', resolve)),
    );
    await Promise.all(written);
    this.#watchers.clear();
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Sends a line to every watch, whatever it is. */
  sendLine(line: string): void {
    for (const { response } of this.#watchers) response.write(`${line}\n`);
  }

  /** Answers 403 for a namespace, or for everything when it is undefined. */
  deny(namespace: string): void {
    this.#denied.add(namespace);
    for (const watcher of this.#watchers) if (watcher.namespace === namespace) this.#end(watcher);
  }

  allow(namespace: string): void {
    this.#denied.delete(namespace);
  }

  /** Accepts connections, on the same port as before. */
  async up(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    const address = this.#server.address() as AddressInfo;
    this.#port = address.port;
  }

  /** Refuses connections until it is up again. */
  async down(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    this.#server = this.#create();
  }

  count(verb: SeenRequest['verb']): number {
    return this.requests.filter((request) => request.verb === verb).length;
  }

  #end(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    watcher.response.end();
  }

  #create(): Server {
    const server = createServer((request, response) => this.#answer(request, response));
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => {});
    });
    return server;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.url);
    if (request.headers.authorization !== `Bearer ${this.acceptedToken}`) {
      answerStatus(response, 401, 'Unauthorized');
      return;
    }
    const [, group = '', version = '', namespace, plural] =
      /^\/apis\/([^/]+)\/([^/]+)(?:\/namespaces\/([^/]+))?(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
    if (plural === undefined) {
      this.#discover(response, group, version);
      return;
    }
    const definition = this.#definitions.get(plural);
    const isWatch = url.searchParams.get('watch') === 'true';
    const from = url.searchParams.get('resourceVersion') ?? undefined;
    this.requests.push({ verb: isWatch ? 'watch' : 'list', plural, namespace, version, from });
    if (this.#denied.has(namespace ?? '') || (isWatch && this.deniesWatches)) {
      const message = `${plural}.${group} is forbidden: User "berth" cannot ${isWatch ? 'watch' : 'list'} it`;
      answerStatus(response, 403, message);
      return;
    }
    if (definition?.group !== group || !definition.versions.includes(version)) {
      answerStatus(response, 404, 'the server could not find the requested resource');
      return;
    }
    if (isWatch && this.busyWatches > 0) {
      this.busyWatches--;
      answerStatus(response, 429, 'storage is (re)initializing');
      return;
    }
    if (isWatch) this.#watch({ plural, namespace, response }, Number(from));
    else this.#list(response, plural, namespace, url.searchParams);
  }

  #discover(response: ServerResponse, group: string, version: string): void {
    this.requests.push({ verb: 'discover', plural: '', namespace: undefined, version, from: undefined });
    const found = [...this.#definitions.values()].filter(
      (definition) => definition.group === group && definition.versions.includes(version),
    );
    if (found.length === 0) {
      answerStatus(response, 404, '404 page not found');
      return;
    }
    const resources = found.flatMap(({ plural, kind }) => [
      { name: plural, kind, namespaced: true, verbs: ['get', 'list', 'watch'] },
      { name: `${plural}/status`, kind, namespaced: true, verbs: ['get'] },
    ]);
    answerJson(response, 200, { kind: 'APIResourceList', groupVersion: `${group}/${version}`, resources });
  }

  #list(
    response: ServerResponse,
    plural: string,
    namespace: string | undefined,
    query: URLSearchParams,
  ): void {
    const start = Number(query.get('continue') ?? 0);
    if (start > 0 && this.expiredPages > 0) {
      this.expiredPages--;
      answerStatus(response, 410, 'The provided continue parameter is too old');
      return;
    }
    const all = [...(this.#objects.get(plural)?.values() ?? [])].filter(
      ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
    );
    const end = start + Math.min(this.pageSize, Number(query.get('limit') ?? this.pageSize));
    answerJson(response, 200, {
      kind: 'List',
      metadata: {
        resourceVersion: String(this.#version),
        ...(end < all.length ? { continue: String(end), remainingItemCount: all.length - end } : {}),
      },
      items: all.slice(start, end),
    });
  }

  #watch(watcher: Watcher, from: number): void {
    if (from < this.#compacted) {
      answerStatus(watcher.response, 410, 'too old resource version');
      return;
    }
    watcher.response.writeHead(200, { 'Content-Type': 'application/json' });
    watcher.response.flushHeaders();
    for (const event of this.#events) {
      if (event.version > from) send(watcher, event);
    }
    this.#watchers.add(watcher);
    watcher.response.on('close', () => this.#watchers.delete(watcher));
  }

  #tell(plural: string, namespace: string, type: string, object: object): void {
    const line = `${JSON.stringify({ type, object })}\n`;
    const event = { version: this.#version, plural, namespace, line };
    this.#events.push(event);
    for (const watcher of this.#watchers) send(watcher, event);
  }
}

function send(watcher: Watcher, event: WatchEvent): void {
  if (watcher.plural !== event.plural) return;
  if (watcher.namespace === undefined || watcher.namespace === event.namespace)
    watcher.response.write(event.line);
}

function answerStatus(response: ServerResponse, code: number, message: string): void {
  answerJson(response, code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code });
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}
