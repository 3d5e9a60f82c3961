const HIDDEN = '[redacted]';
const SECRET_KEY =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|jwt|x-hub-signature.*|.*(?:passw(?:or)?d|passphrase|secret|token|api[-_]?key|private[-_]?key|credential).*)$/i;
/** Keys that only point at a secret: where it lies, or where one is asked for. */
const POINTS_AT_SECRET = /(?:file|path|url|endpoint|type|name|ref)$/i;
const MAX_DEPTH = 32;

/**
 * A copy without secrets, for logs and audit lines: strings under keys that name a secret, the `value` and `default` of
 * an input marked `isSecret` or named like a secret (server.json headers and variables), and whatever `redactText`
 * hides. Errors and other class instances pass as they are.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth > MAX_DEPTH) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const members: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(value));
  const secretInput =
    members.isSecret === true || (typeof members.name === 'string' && namesSecret(members.name));
  return Object.fromEntries(
    Object.entries(members).map(([key, member]) => {
      const hide = namesSecret(key) || (secretInput && (key === 'value' || key === 'default'));
      return [key, hide ? hideSecret(key, member) : redact(member, depth + 1)];
    }),
  );
}

function namesSecret(key: string): boolean {
  return SECRET_KEY.test(key) && !POINTS_AT_SECRET.test(key);
}

/** Flags such as `isSecret: true` say nothing, nor do numbers of tokens; everything else under a secret key is hidden. */
function hideSecret(key: string, member: unknown): unknown {
  if (typeof member === 'number') return /token/i.test(key) ? member : HIDDEN;
  return typeof member === 'boolean' || member == null ? member : HIDDEN;
}

const CREDENTIALS = /\b(Bearer|Basic|Digest|Negotiate)(\s+)[\w.~+/=-]{6,}/gi;
const JWT = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;
const USER_INFO = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#@"'\\]+@/gi;
const SECRET_PARAMETER = /\b((?:access_token|refresh_token|id_token|client_secret|password)=)[^\s&"'\\]+/gi;

/** Hides credentials inside running text: authorization values, JSON web tokens, passwords in URLs and parameters. */
export function redactText(text: string): string {
  return text
    .replace(CREDENTIALS, `$1$2${HIDDEN}`)
    .replace(JWT, HIDDEN)
    .replace(USER_INFO, `$1${HIDDEN}@`)
    .replace(SECRET_PARAMETER, `$1${HIDDEN}`);
}
