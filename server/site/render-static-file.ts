import { Rendered } from '../http/rendered.ts';
import { writePagePolicy } from './page-policy.ts';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  xml: 'application/xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  png: 'image/png',
  webp: 'image/webp',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
};
const COMPRESSED = new Set(['png', 'webp', 'woff2']);

/**
 * A file of the built site, ready to be answered. Files whose name holds a digest may be cached for ever; a page gets a
 * policy that allows the very scripts it holds and no others.
 * @param path root-relative; one that ends in `/` is a page
 */
export function renderStaticFile(path: string, bytes: Buffer, lastModified: number): Rendered {
  const extension = path.endsWith('/') ? 'html' : path.slice(path.lastIndexOf('.') + 1);
  const isPage = extension === 'html';
  const isNamedByContent = path.startsWith('/_astro/');
  return new Rendered(bytes, {
    contentType: TYPES[extension] ?? 'application/octet-stream',
    lastModified,
    compressible: !COMPRESSED.has(extension),
    headers: {
      Vary: 'Accept-Encoding',
      'Cache-Control': isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(isPage ? { 'Content-Security-Policy': writePagePolicy(bytes.toString('utf8')) } : {}),
    },
  });
}
