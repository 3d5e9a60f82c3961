import { type CookieStyle, clearCookie, writeCookie } from './cookies.ts';

/** Browsers keep cookies of up to 4096 bytes, with name and attributes. */
const CHUNK = 3800;
/** All headers of a request are at most 16 KiB for Node, and each page sends all chunks. */
const MAX_CHUNKS = 3;

/** How long a text may be to be kept in chunks. */
export const MAX_CHUNKED_LENGTH = CHUNK * MAX_CHUNKS;

/** Puts a text together that `writeChunks` cut; undefined when there is none. */
export function readChunks(cookies: ReadonlyMap<string, string>, name: string): string | undefined {
  const first = cookies.get(name);
  if (first === undefined) return undefined;
  const chunks = [first];
  for (
    let next = cookies.get(`${name}.1`);
    next !== undefined;
    next = cookies.get(`${name}.${chunks.length}`)
  )
    chunks.push(next);
  return chunks.join('');
}

/**
 * Cuts a text into cookies, and clears those of an earlier, longer one.
 * @param cookies those of the request
 * @returns `Set-Cookie` values
 */
export function writeChunks(
  cookies: ReadonlyMap<string, string>,
  name: string,
  text: string,
  style: CookieStyle,
  maxAge: number | undefined,
): string[] {
  const chunks: string[] = [];
  for (let start = 0; start < text.length; start += CHUNK) chunks.push(text.slice(start, start + CHUNK));
  const names = new Set(chunks.map((_, index) => nameChunk(name, index)));
  const stale = listChunks(cookies, name).filter((one) => !names.has(one));
  return [
    ...chunks.map((chunk, index) => writeCookie(nameChunk(name, index), chunk, style, maxAge)),
    ...stale.map((one) => clearCookie(one, style)),
  ];
}

/** `Set-Cookie` values that make the browser forget all chunks it sent. */
export function clearChunks(
  cookies: ReadonlyMap<string, string>,
  name: string,
  style: CookieStyle,
): string[] {
  return listChunks(cookies, name).map((one) => clearCookie(one, style));
}

function listChunks(cookies: ReadonlyMap<string, string>, name: string): string[] {
  return [...cookies.keys()].filter((one) => one === name || /^\.\d+$/.test(suffixOf(one, name)));
}

function suffixOf(one: string, name: string): string {
  return one.startsWith(name) ? one.slice(name.length) : '';
}

function nameChunk(name: string, index: number): string {
  return index === 0 ? name : `${name}.${index}`;
}
