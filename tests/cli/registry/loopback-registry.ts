import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface LoopbackRegistry {
  readonly url: string;
  /** Paths and tokens of the requests. */
  readonly seen: { readonly path: string; readonly authorization: string | undefined }[];
  /** Answers 503 while true. */
  down: boolean;
}

const OFFICIAL = 'io.modelcontextprotocol.registry/official';

/** A v0.1 registry on loopback for the running test; of several versions of a name the first is the latest. */
export async function openLoopbackRegistry(
  servers: readonly { name: string; version: string }[],
  requireToken?: string,
): Promise<LoopbackRegistry> {
  const seen: LoopbackRegistry['seen'] = [];
  const items = servers.map((server, index) => ({
    server,
    _meta: {
      [OFFICIAL]: {
        status: 'active',
        isLatest: servers.findIndex(({ name }) => name === server.name) === index,
      },
    },
  }));
  const registry = { url: '', seen, down: false };
  const answer = (url: URL): unknown => {
    const [, , , name = '', , version] = url.pathname.split('/').map(decodeURIComponent);
    const latest = items.filter((item) => item._meta[OFFICIAL].isLatest);
    if (name === '') {
      const search = url.searchParams.get('search') ?? '';
      const found = latest.filter(({ server }) => server.name.includes(search));
      const from = Number(url.searchParams.get('cursor') ?? 0);
      // One a page, so that pages are walked.
      return {
        servers: found.slice(from, from + 1),
        metadata: from + 1 < found.length ? { nextCursor: String(from + 1) } : {},
      };
    }
    const versions = items.filter(({ server }) => server.name === name);
    if (version === undefined) return versions.length > 0 ? { servers: versions } : undefined;
    return versions.find((item) =>
      version === 'latest' ? item._meta[OFFICIAL].isLatest : item.server.version === version,
    );
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    const { authorization } = request.headers;
    seen.push({ path: url.pathname, authorization });
    const allowed = requireToken === undefined || authorization === `Bearer ${requireToken}`;
    const body = registry.down || !allowed ? undefined : answer(url);
    response.statusCode = registry.down ? 503 : !allowed ? 401 : body === undefined ? 404 : 200;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body ?? { error: 'no' }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address: AddressInfo | string | null = server.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('the server has no port');
  registry.url = `http://127.0.0.1:${address.port}`;
  return registry;
}
