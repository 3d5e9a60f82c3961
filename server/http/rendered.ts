import { hash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Answer } from './answer.ts';
import { matchesEtag } from './etag.ts';
import { chooseEncoding, type Encoding } from './negotiate-encoding.ts';

const SMALLEST_COMPRESSED = 256;
const SUFFIX: Readonly<Record<Encoding, string>> = { identity: '', gzip: '-gzip', br: '-br' };

interface Effort {
  readonly gzip: number;
  readonly brotli: number;
}
const THOROUGH: Effort = { gzip: 6, brotli: 4 };
const FAST: Effort = { gzip: 1, brotli: 1 };

export interface RenderedOptions {
  readonly contentType: string;
  /** Milliseconds since the epoch. */
  readonly lastModified: number;
  /** Headers of every answer made of it. */
  readonly headers: Readonly<Record<string, string>>;
  /** False for what is compressed already. */
  readonly compressible?: boolean;
  /** True for what is answered once: then compressing takes longer than sending what a better one saves. */
  readonly isFleeting?: boolean;
}

/**
 * A body that was rendered once and is answered many times: strong ETag per encoding, compressed when first asked for,
 * header objects made once (contract 5).
 */
export class Rendered {
  readonly body: Buffer;
  readonly #options: RenderedOptions;
  readonly #tag: string;
  readonly #full = new Map<Encoding, Answer>();
  readonly #notModified = new Map<Encoding, Answer>();

  constructor(body: Buffer, options: RenderedOptions) {
    this.body = body;
    this.#options = options;
    this.#tag = hash('sha256', body, 'base64url').slice(0, 22);
  }

  /** Bytes it may come to hold, for bounding a cache. */
  get weight(): number {
    return this.body.length * 2 + 1024;
  }

  answer(acceptEncoding: string | undefined, ifNoneMatch: string | undefined): Answer {
    const encoding = this.#isCompressed() ? chooseEncoding(acceptEncoding) : 'identity';
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, this.#etag(encoding))) {
      return remember(this.#notModified, encoding, () => ({ status: 304, headers: this.#headers(encoding) }));
    }
    return remember(this.#full, encoding, () => this.#makeFull(encoding));
  }

  #isCompressed(): boolean {
    return this.#options.compressible !== false && this.body.length >= SMALLEST_COMPRESSED;
  }

  #etag(encoding: Encoding): string {
    return `"${this.#tag}${SUFFIX[encoding]}"`;
  }

  #makeFull(encoding: Encoding): Answer {
    const body = compress(this.body, encoding, this.#options.isFleeting ? FAST : THOROUGH);
    const headers: Record<string, string> = {
      'Content-Type': this.#options.contentType,
      'Content-Length': String(body.length),
      ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
      ...this.#headers(encoding),
    };
    return { status: 200, headers, body };
  }

  #headers(encoding: Encoding): Record<string, string> {
    return {
      ETag: this.#etag(encoding),
      'Last-Modified': new Date(this.#options.lastModified).toUTCString(),
      ...this.#options.headers,
    };
  }
}

function compress(body: Buffer, encoding: Encoding, { gzip, brotli }: Effort): Buffer {
  if (encoding === 'gzip') return gzipSync(body, { level: gzip });
  if (encoding === 'br') {
    return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: brotli } });
  }
  return body;
}

function remember(known: Map<Encoding, Answer>, encoding: Encoding, make: () => Answer): Answer {
  const before = known.get(encoding);
  if (before) return before;
  const answer = make();
  known.set(encoding, answer);
  return answer;
}
