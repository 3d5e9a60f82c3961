import { refuseFlag } from './flag-error.ts';
import { readPair } from './read-values.ts';

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/;
/** What belongs to a connection rather than to a request, or says who asks (contract 8). */
const FORBIDDEN =
  /^(?:connection|keep-alive|proxy-authenticate|proxy-authorization|proxy-connection|te|trailer|trailers|transfer-encoding|upgrade|host|content-length|forwarded|x-forwarded-.*)$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;
const MOST_BYTES = 8192;

/** `--remote-forward-headers`. @throws UsageError */
export function readPlainHeaders(given: readonly string[] | undefined): Record<string, string> {
  const flag = '--remote-forward-headers';
  return readHeaders(flag, given, 'Name=Value', (name, value) => {
    const fault = findValueFault(value);
    if (fault !== undefined) throw refuseFlag(flag, `The value of ${name} ${fault}.`);
  });
}

/** `--remote-forward-headers-secret`: header name to secret name. @throws UsageError */
export function readSecretHeaders(given: readonly string[] | undefined): Record<string, string> {
  const flag = '--remote-forward-headers-secret';
  return readHeaders(flag, given, 'Name=secret-name', (name, secret) => {
    if (secret.trim() === '') throw refuseFlag(flag, `No secret is named for ${name}.`);
  });
}

/** Why a header may not be forwarded; undefined when it may. */
export function findNameFault(name: string): string | undefined {
  if (!TOKEN.test(name)) return 'is not the name of a header';
  return FORBIDDEN.test(name) ? 'belongs to the connection and cannot be set' : undefined;
}

/** Why a header may not have this value; undefined when it may. Never tells the value. */
export function findValueFault(value: string): string | undefined {
  if (CONTROL.test(value)) return 'holds control characters';
  return Buffer.byteLength(value) > MOST_BYTES ? `is longer than ${MOST_BYTES} bytes` : undefined;
}

function readHeaders(
  flag: string,
  given: readonly string[] | undefined,
  form: string,
  check: (name: string, value: string) => void,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const text of given ?? []) {
    const [name, value] = readHeader(flag, text, form);
    check(name, value);
    for (const known of Object.keys(headers)) {
      if (known.toLowerCase() === name.toLowerCase()) delete headers[known];
    }
    headers[name] = value;
  }
  return headers;
}

function readHeader(flag: string, text: string, form: string): [string, string] {
  // A value may be a secret that was put into the wrong place: the whole is not told.
  if (text.indexOf('=') < 1) throw refuseFlag(flag, `A header is not of the form ${form}.`);
  const [name, value] = readPair(flag, text, form);
  const fault = findNameFault(name);
  if (fault !== undefined) throw refuseFlag(flag, `"${name.slice(0, 80)}" ${fault}.`);
  return [name, value];
}
