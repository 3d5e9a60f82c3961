/** Padded base64, with nothing left out. */
const CANONICAL = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** What a header of revision 2026-07-28 says: `=?base64?…?=` carries what is not plain ASCII; undefined when it is not base64 of UTF-8. */
export function decodeHeader(value: string | undefined): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/is.exec(value ?? '')?.[1];
  if (encoded === undefined) return value;
  if (!CANONICAL.test(encoded)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}
