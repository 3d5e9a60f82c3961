import { decodeHeader } from './decode-header.ts';
import { isRecord } from './shake-hands.ts';

/** An argument of a tool that clients repeat in a header (`x-mcp-header` of revision 2026-07-28). */
export interface HeaderArgument {
  /** Lower case. */
  readonly header: string;
  /** Members from the arguments down to it. */
  readonly path: readonly string[];
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean', 'number']);
const DECIMAL = /^-?\d+(?:\.\d+)?$/;
/** A schema nested deeper names no argument anybody writes. */
const MAX_DEPTH = 32;

/** The arguments an input schema wants repeated. None when it names two alike: such a tool is not well defined. */
export function findHeaderArguments(inputSchema: unknown): readonly HeaderArgument[] {
  const found: HeaderArgument[] = [];
  const visit = (schema: unknown, path: readonly string[]): void => {
    if (!isRecord(schema) || path.length > MAX_DEPTH) return;
    const name = schema['x-mcp-header'];
    if (path.length > 0 && typeof name === 'string' && TOKEN.test(name) && TYPES.has(schema.type)) {
      found.push({ header: `mcp-param-${name.toLowerCase()}`, path });
    }
    if (!isRecord(schema.properties)) return;
    for (const [key, property] of Object.entries(schema.properties)) visit(property, [...path, key]);
  };
  visit(inputSchema, []);
  const names = new Set(found.map(({ header }) => header));
  return names.size === found.length ? found : [];
}

/**
 * The header that does not say what the arguments say; undefined when all do. A header whose argument is not given is
 * nobody's business.
 *
 * @param read the value of a header of the request
 */
export function findMismatch(
  wanted: readonly HeaderArgument[],
  given: unknown,
  read: (header: string) => string | undefined,
): string | undefined {
  for (const { header, path } of wanted) {
    let value = given;
    for (const key of path) value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number') continue;
    const said = decodeHeader(read(header));
    const isSame =
      typeof value === 'number' && said !== undefined && DECIMAL.test(said)
        ? Number(said) === value
        : said === String(value);
    if (!isSame) return header;
  }
  return undefined;
}
