import { hash } from 'node:crypto';
import { Rendered } from '../http/rendered.ts';
import { writeSitePolicy } from './site-policy.ts';

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
const INLINE = /<(script|style)(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/\1>/g;

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
      ...(isPage ? { 'Content-Security-Policy': writePolicyOf(bytes.toString('utf8')) } : {}),
    },
  });
}

function writePolicyOf(html: string): string {
  const sources = { script: new Set<string>(), style: new Set<string>() };
  for (const [, tag, attributes = '', text = ''] of html.matchAll(INLINE)) {
    if (tag === 'script' && /\btype="application\/(?:ld\+)?json"/.test(attributes)) continue;
    sources[tag === 'style' ? 'style' : 'script'].add(`'sha256-${hash('sha256', text, 'base64')}'`);
  }
  return writeSitePolicy({
    scripts: [...sources.script],
    styles: [...sources.style],
    // The highlighter and the outline of the guides set colours and depths of elements.
    styleAttributes: true,
    // The search of the guides.
    wasm: true,
  });
}
