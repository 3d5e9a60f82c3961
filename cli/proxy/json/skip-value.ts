/** Deeper values are taken for invalid: nobody means them, and the scanner keeps its memory small. */
export const MAX_DEPTH = 10_000;

/** One bit of state for every open container: 1 for an object. The scanner never yields, so one is enough. */
const containers = new Uint8Array(MAX_DEPTH + 1);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Index of the first byte that is no JSON white space, at most `end`. */
export function skipSpace(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    at++;
  }
  return at;
}

/**
 * Index after the string whose opening quote is at `from`, or -1 when there is no well-formed string. Whether the
 * bytes are UTF-8 is not looked at.
 */
export function skipString(bytes: Uint8Array, from: number, end: number): number {
  if (from >= end || bytes[from] !== QUOTE) return -1;
  let at = from + 1;
  while (at < end) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) return at + 1;
    if (byte < 0x20) return -1;
    if (byte !== BACKSLASH) {
      at++;
      continue;
    }
    const length = escapeLength(bytes, at, end);
    if (length < 0) return -1;
    at += length;
  }
  return -1;
}

function escapeLength(bytes: Uint8Array, at: number, end: number): number {
  if (at + 1 >= end) return -1;
  switch (bytes[at + 1]) {
    case 0x22:
    case 0x5c:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return 2;
    case 0x75:
      if (at + 6 > end) return -1;
      for (let digit = at + 2; digit < at + 6; digit++) if (!isHexDigit(bytes[digit] ?? 0)) return -1;
      return 6;
    default:
      return -1;
  }
}

function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

function skipDigits(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x30 || byte > 0x39) break;
    at++;
  }
  return at;
}

function skipNumber(bytes: Uint8Array, from: number, end: number): number {
  let at = bytes[from] === 0x2d ? from + 1 : from;
  const whole = at;
  at = skipDigits(bytes, at, end);
  if (at === whole || (bytes[whole] === 0x30 && at > whole + 1)) return -1;
  if (at < end && bytes[at] === 0x2e) {
    const fraction = at + 1;
    at = skipDigits(bytes, fraction, end);
    if (at === fraction) return -1;
  }
  if (at < end && (bytes[at] === 0x65 || bytes[at] === 0x45)) {
    at++;
    if (at < end && (bytes[at] === 0x2b || bytes[at] === 0x2d)) at++;
    const exponent = at;
    at = skipDigits(bytes, exponent, end);
    if (at === exponent) return -1;
  }
  return at;
}

const TRUE = [0x74, 0x72, 0x75, 0x65];
const FALSE = [0x66, 0x61, 0x6c, 0x73, 0x65];
const NULL = [0x6e, 0x75, 0x6c, 0x6c];

function skipWord(bytes: Uint8Array, from: number, end: number, word: readonly number[]): number {
  if (from + word.length > end) return -1;
  for (let offset = 0; offset < word.length; offset++) if (bytes[from + offset] !== word[offset]) return -1;
  return from + word.length;
}

function skipScalar(bytes: Uint8Array, at: number, end: number): number {
  switch (bytes[at]) {
    case QUOTE:
      return skipString(bytes, at, end);
    case 0x74:
      return skipWord(bytes, at, end, TRUE);
    case 0x66:
      return skipWord(bytes, at, end, FALSE);
    case 0x6e:
      return skipWord(bytes, at, end, NULL);
    default:
      return skipNumber(bytes, at, end);
  }
}

/** Index of the value behind the key at `from` and its colon, or -1. */
export function skipKey(bytes: Uint8Array, from: number, end: number): number {
  const key = skipString(bytes, from, end);
  if (key < 0) return -1;
  const colon = skipSpace(bytes, key, end);
  if (colon >= end || bytes[colon] !== 0x3a) return -1;
  return skipSpace(bytes, colon + 1, end);
}

/**
 * Index after the JSON value that starts exactly at `from`, or -1 when there is no valid one before `end`. Accepts what
 * `JSON.parse` accepts (down to `MAX_DEPTH`), needs no memory, and never throws.
 */
export function skipValue(bytes: Uint8Array, from: number, end: number): number {
  let depth = 0;
  let at = from;
  for (;;) {
    if (at >= end) return -1;
    const byte = bytes[at];
    if (byte === 0x7b || byte === 0x5b) {
      if (++depth > MAX_DEPTH) return -1;
      const isObject = byte === 0x7b;
      containers[depth] = isObject ? 1 : 0;
      at = skipSpace(bytes, at + 1, end);
      if (at >= end) return -1;
      if (bytes[at] !== (isObject ? 0x7d : 0x5d)) {
        if (isObject) at = skipKey(bytes, at, end);
        if (at < 0) return -1;
        continue;
      }
      at++;
      depth--;
    } else {
      at = skipScalar(bytes, at, end);
      if (at < 0) return -1;
    }
    // A value has ended: close what ends with it, and go on to the next one.
    for (;;) {
      if (depth === 0) return at;
      at = skipSpace(bytes, at, end);
      if (at >= end) return -1;
      const isObject = containers[depth] === 1;
      const next = bytes[at];
      if (next === 0x2c) {
        at = skipSpace(bytes, at + 1, end);
        if (isObject) at = skipKey(bytes, at, end);
        if (at < 0) return -1;
        break;
      }
      if (next !== (isObject ? 0x7d : 0x5d)) return -1;
      at++;
      depth--;
    }
  }
}
