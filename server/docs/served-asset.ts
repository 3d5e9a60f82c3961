import { hash } from 'node:crypto';
import { Rendered } from '../http/rendered.ts';

/** A file a page refers to. Its address holds a digest of its content, so it may be cached for ever. */
export interface ServedAsset {
  /** Below `/docs/assets/`. */
  readonly address: string;
  readonly rendered: Rendered;
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** @param file its name; the extension decides the media type */
export function makeAsset(file: string, content: Buffer | string, lastModified: number): ServedAsset {
  const body = typeof content === 'string' ? Buffer.from(content) : content;
  const extension = file.slice(file.lastIndexOf('.') + 1);
  return {
    address: `${hash('sha256', body, 'hex').slice(0, 16)}/${file}`,
    rendered: new Rendered(body, {
      contentType: TYPES[extension] ?? 'application/octet-stream',
      lastModified,
      headers: { 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' },
    }),
  };
}
