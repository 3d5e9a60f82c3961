import { z } from 'zod';
import { createOpenApi } from '../../../server/openapi/create-openapi.ts';

type Json = Record<string, unknown>;

export interface AnswerCheck {
  /**
   * Holds a real answer against the document.
   * @param method in any case
   * @param path the template as the document writes it, such as `/v1/sources/{source}`
   * @param body parsed JSON; undefined for an answer without a body or with one that is no JSON
   * @throws Error that names every difference: an operation, status or member that is not documented counts as one
   */
  (method: string, path: string, status: number, body?: unknown): void;
  /** What a component schema has against a value, as `place: message`; empty when it accepts it. */
  body(schema: string, value: unknown): string[];
}

/** Makes the check for a document; without one, for the document of this service. */
export function createAnswerCheck(document: Json = createOpenApi({ version: '0.0.0' })): AnswerCheck {
  const definitions = memberOf(memberOf(document, 'components'), 'schemas');
  const closed = closeObjects(moveReferences(definitions));
  const schemas = new Map<string, z.ZodType>();
  const findProblems = (schema: Json, value: unknown): string[] => {
    const key = JSON.stringify(schema);
    const known = schemas.get(key) ?? z.fromJSONSchema(closeSchema(schema, closed));
    schemas.set(key, known);
    const result = known.safeParse(value);
    return result.success
      ? []
      : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  };
  const check = (method: string, path: string, status: number, body?: unknown): void => {
    const where = `${method.toUpperCase()} ${path} ${status}`;
    const operation = memberOf(memberOf(memberOf(document, 'paths'), path), method.toLowerCase());
    const responses = memberOf(operation, 'responses');
    const response = resolve(document, memberOf(responses, String(status)));
    if (Object.keys(response).length === 0) {
      throw new Error(
        `${where} is not documented; documented: ${Object.keys(responses).join(', ') || 'nothing'}`,
      );
    }
    const content = memberOf(response, 'content');
    const [type] = Object.keys(content);
    const isJson = type !== undefined && /json$/.test(type);
    if (!isJson) {
      if (body !== undefined) throw new Error(`${where} is documented without a JSON body`);
      return;
    }
    const problems = findProblems(memberOf(memberOf(content, type), 'schema'), body);
    if (problems.length > 0) throw new Error(`${where} is not as documented:\n  ${problems.join('\n  ')}`);
  };
  return Object.assign(check, {
    body: (schema: string, value: unknown) => findProblems({ $ref: `#/components/schemas/${schema}` }, value),
  });
}

/** The check for the document of this service. */
export const checkAnswer: AnswerCheck = createAnswerCheck();

function closeSchema(schema: Json, definitions: unknown): Json {
  const moved = closeObjects(moveReferences(schema));
  return isObject(moved) ? { ...moved, $defs: definitions } : {};
}

function moveReferences(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/components/schemas/', '"#/$defs/'));
}

/**
 * Objects of the document are open, so that answers may gain members; here a member nobody documented is a mistake.
 * Objects that say themselves what else they may hold stay as they are.
 */
function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (!isObject(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closeObjects(member)]));
  const isOpen = copy.type === 'object' && isObject(copy.properties) && !('additionalProperties' in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}

function resolve(document: Json, value: Json): Json {
  const { $ref } = value;
  if (typeof $ref !== 'string') return value;
  return $ref.slice(2).split('/').reduce(memberOf, document);
}

function memberOf(value: Json, name: string): Json {
  const member = value[name];
  return isObject(member) ? member : {};
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
