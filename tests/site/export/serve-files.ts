import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FileServer {
  /** Where the files are, with a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css',
  js: 'text/javascript',
  json: 'application/json',
  svg: 'image/svg+xml',
};

/**
 * Serves files as static hosts do, below a path of their own: `index.html` for a folder, `404.html` for what is not
 * there, and nothing but the files: no header of ours.
 * @param base begins and ends in `/`
 */
export async function serveFiles(files: ReadonlyMap<string, Buffer>, base: string): Promise<FileServer> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://x.invalid').pathname);
    const name = path.startsWith(base) ? path.slice(base.length).replace(/(^|\/)$/, '$1index.html') : '';
    const found = files.get(name);
    const type = TYPES[(found ? name : '404.html').split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    response.writeHead(found ? 200 : 404, { 'Content-Type': type });
    response.end(found ?? files.get('404.html'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${base}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
