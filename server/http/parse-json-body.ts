import { locateJsonError } from '../../sources/catalog/locate-json-error.ts';
import { HttpError } from './problem.ts';

const JSON_TYPE = /^application\/(?:json|[\w.+-]+\+json)$/;
/** Deeper than any entry; beyond it, recursive checks and serialisation would run out of stack. */
const MAX_DEPTH = 100;

/**
 * Reads a body as JSON (contract 9).
 * @param bytes the whole body, from `readBody`
 * @param contentType the `Content-Type` header as received; none at all counts as JSON
 * @throws HttpError 415 `media_type_unsupported`; 400 `body_missing`, `body_invalid_json` (names line and column, never
 *   content) or `body_too_deep`
 */
export function parseJsonBody(bytes: Uint8Array, contentType: string | undefined): unknown {
  checkType(contentType);
  if (bytes.byteLength === 0) throw new HttpError(400, 'body_missing', 'The request needs a JSON body.');
  if (nestsDeeper(bytes, MAX_DEPTH)) {
    throw new HttpError(400, 'body_too_deep', `The JSON body is nested deeper than ${MAX_DEPTH} levels.`);
  }
  const text = decodeText(bytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const place = locateJsonError(text);
    const where = place ? ` at line ${place.line}, column ${place.column}` : '';
    throw new HttpError(400, 'body_invalid_json', `The body is not valid JSON${where}.`, { cause });
  }
}

function checkType(contentType: string | undefined): void {
  if (contentType === undefined) return;
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  const utf8 = charset === undefined || /^"?utf-?8"?$/.test(charset);
  if (JSON_TYPE.test(type) && utf8) return;
  throw new HttpError(415, 'media_type_unsupported', 'The body must be sent as application/json in UTF-8.');
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new HttpError(400, 'body_invalid_json', 'The body is not UTF-8 text.', { cause });
  }
}

function nestsDeeper(bytes: Uint8Array, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (inString) {
      if (byte === 0x5c) index++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > limit) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}
