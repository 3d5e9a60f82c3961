import { LRUCache } from 'lru-cache';
import { z } from 'zod';

/** What a JWT says about itself. Nothing of it is verified: it only chooses provider and key. */
export interface JwtOutline {
  readonly alg: string;
  readonly kid: string | undefined;
  readonly members: Readonly<Record<string, unknown>>;
}

type Header = Pick<JwtOutline, 'alg' | 'kid'>;

// No extension is understood here, so a `crit` member of any content makes a token unreadable.
const headerSchema = z.object({
  alg: z.string(),
  kid: z.string().optional(),
  crit: z.undefined().optional(),
});
/** The tokens of an issuer share a handful of headers. */
const headers = new LRUCache<string, Header>({ max: 100 });
const strictly = new TextDecoder('utf-8', { fatal: true });

/** Reads a compact JWS whose payload is a JSON object; undefined for anything else, as an opaque token is. */
export function outlineJwt(token: string): JwtOutline | undefined {
  const first = token.indexOf('.');
  const second = token.indexOf('.', first + 1);
  if (first < 1 || second < 0 || token.includes('.', second + 1)) return undefined;
  try {
    const { alg, kid } = readHeader(token.slice(0, first));
    const members = parsePart(token.slice(first + 1, second));
    return isObject(members) ? { alg, kid, members } : undefined;
  } catch {
    return undefined;
  }
}

function readHeader(part: string): Header {
  const known = headers.get(part);
  if (known) return known;
  const { alg, kid } = headerSchema.parse(parsePart(part));
  const header = { alg, kid };
  headers.set(part, header);
  return header;
}

function parsePart(part: string): unknown {
  return JSON.parse(strictly.decode(Buffer.from(part, 'base64url')));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
