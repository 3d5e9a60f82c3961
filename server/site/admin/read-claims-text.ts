import { isPlainObject } from '../../../sources/model/plain-object.ts';

/** Claims as somebody typed them; whether they may be set is for the API to say. */
export type ClaimsText =
  | { readonly ok: true; readonly claims: Readonly<Record<string, unknown>> | undefined }
  | { readonly ok: false; readonly message: string };

/**
 * Reads a JSON object such as `{"org": "acme"}`, or lines of `key=value`, where a repeated key has several values.
 * @returns no claims for blank text
 */
export function readClaimsText(text: string): ClaimsText {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: true, claims: undefined };
  return /^[{["]/.test(trimmed) ? readJson(trimmed) : readLines(trimmed);
}

function readJson(text: string): ClaimsText {
  try {
    const claims: unknown = JSON.parse(text);
    if (isPlainObject(claims)) return { ok: true, claims };
  } catch {
    // Said below, as for JSON that is no object.
  }
  return refuse('This is no JSON object. Write {"org": "acme", "team": ["platform", "data"]}.');
}

function readLines(text: string): ClaimsText {
  const values = new Map<string, string[]>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const at = line.indexOf('=');
    const key = line.slice(0, Math.max(at, 0)).trim();
    if (key === '') return refuse(`Line ${index + 1} has no key: write it as key=value, such as org=acme.`);
    values.set(key, [...(values.get(key) ?? []), line.slice(at + 1).trim()]);
  }
  const claims = [...values].map(([key, all]) => [key, all.length === 1 ? all[0] : all]);
  return { ok: true, claims: Object.fromEntries(claims) };
}

function refuse(message: string): ClaimsText {
  return { ok: false, message };
}

/** Claims as they stand in a text field that is read by `readClaimsText`. */
export function writeClaimsText(claims: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(claims, null, 2);
}
