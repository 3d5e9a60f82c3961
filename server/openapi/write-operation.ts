import { type JsonSchema, refTo } from './component-schemas.ts';
import type { HeaderName, Operation, Success } from './operation.ts';

const BODY_PROBLEMS: Readonly<Record<number, readonly string[]>> = {
  400: ['body_missing', 'body_invalid_json', 'body_too_deep', 'body_incomplete'],
  413: ['body_too_large'],
  415: ['media_type_unsupported'],
};

/** An operation as an OpenAPI operation object, with everything calls of its kind have in common. */
export function writeOperation(operation: Operation): JsonSchema {
  const { id, tag, summary, description, body } = operation;
  const parameters = [
    ...(operation.parameters ?? []),
    ...(operation.conditional ? ['ifNoneMatch'] : []),
    'requestId',
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    ...(operation.open ? { security: [] } : {}),
    parameters: parameters.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...(body ? { requestBody: writeBody(body) } : {}),
    responses: { ...writeSuccesses(operation), ...writeProblems(operation) },
  };
}

function writeBody({ schema, examples }: NonNullable<Operation['body']>): JsonSchema {
  const values = Object.entries(examples).map(([name, value]) => [name, { value }]);
  const content = { schema: schema ? { $ref: refTo(schema) } : {}, examples: Object.fromEntries(values) };
  return { required: true, content: { 'application/json': content } };
}

function writeSuccesses({ answers, conditional }: Operation): JsonSchema {
  const caching: readonly HeaderName[] = conditional ? ['ETag', 'LastModified'] : [];
  const responses: JsonSchema = {};
  for (const [status, answer] of Object.entries(answers)) {
    responses[status] = {
      description: answer.description,
      headers: writeHeaders([...(answer.headers ?? []), ...caching]),
      ...writeContent(answer),
    };
  }
  if (conditional) {
    responses['304'] = { description: 'Nothing changed since that `ETag`.', headers: writeHeaders(caching) };
  }
  return responses;
}

function writeContent({ schema, type, example }: Success): JsonSchema {
  if (schema) {
    const shown = example === undefined ? {} : { example };
    return { content: { 'application/json': { schema: { $ref: refTo(schema) }, ...shown } } };
  }
  if (!type) return {};
  return { content: { [type]: { schema: type === 'application/json' ? { type: 'object' } : {} } } };
}

/** By status: what the operation names, and what its kind of call brings with it. */
function writeProblems({ open, stores, body, problems }: Operation): JsonSchema {
  const codes = new Map<number, string[]>();
  const add = (byStatus: Readonly<Record<number, readonly string[]>>): void => {
    for (const [status, listed] of Object.entries(byStatus)) {
      const known = codes.get(Number(status)) ?? [];
      codes.set(Number(status), [...known, ...listed.filter((code) => !known.includes(code))]);
    }
  };
  add(problems ?? {});
  if (body?.schema) add(BODY_PROBLEMS);
  if (stores) add({ 503: ['store_unavailable'] });
  const responses: JsonSchema = {};
  for (const [status, listed] of codes) {
    const headers: HeaderName[] = status === 401 ? ['WWWAuthenticate'] : status === 503 ? ['RetryAfter'] : [];
    responses[status] = writeProblem(listed.map((code) => `\`${code}\``).join(', '), headers);
  }
  for (const [status, name] of open ? OPEN_PROBLEMS : CLOSED_PROBLEMS) {
    responses[status] ??= { $ref: `#/components/responses/${name}` };
  }
  return responses;
}

const OPEN_PROBLEMS = [
  [500, 'InternalError'],
  [504, 'Timeout'],
] as const;
const CLOSED_PROBLEMS = [[401, 'Unauthenticated'], [429, 'TooManyRequests'], ...OPEN_PROBLEMS] as const;

/** The `components.responses` of the document. */
export function writeSharedResponses(): JsonSchema {
  return {
    Unauthenticated: writeProblem(
      '`unauthenticated`, `authentication_required`: a valid bearer token is needed.',
      ['WWWAuthenticate'],
    ),
    TooManyRequests: writeProblem('`rate_limited`: the limit per caller.', ['RetryAfter']),
    InternalError: writeProblem('`internal_error`: the request id finds it in the log.', []),
    Timeout: writeProblem('`request_timeout`', []),
  };
}

function writeProblem(description: string, headers: readonly HeaderName[]): JsonSchema {
  return {
    description,
    headers: writeHeaders(headers),
    content: { 'application/problem+json': { schema: { $ref: refTo('Problem') } } },
  };
}

const HEADER_NAMES: Readonly<Record<HeaderName, string>> = {
  ETag: 'ETag',
  LastModified: 'Last-Modified',
  Location: 'Location',
  WWWAuthenticate: 'WWW-Authenticate',
  RetryAfter: 'Retry-After',
};

function writeHeaders(names: readonly HeaderName[]): JsonSchema {
  const headers = names.map((name) => [HEADER_NAMES[name], { $ref: `#/components/headers/${name}` }]);
  return { ...Object.fromEntries(headers), 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
}

/** The `components.headers` of the document. */
export function writeSharedHeaders(): JsonSchema {
  const header = (description: string, schema: JsonSchema = { type: 'string' }) => ({ description, schema });
  return {
    ETag: header('Strong; differs between representations and between callers who see different entries.'),
    LastModified: header('When what the caller sees last changed.'),
    Location: header('Where the resource is read.'),
    WWWAuthenticate: header('The challenge, with a link to the protected-resource metadata.'),
    RetryAfter: header('Seconds to wait.', { type: 'integer', minimum: 1 }),
    RequestId: header('The id of this request, in the log too.'),
  };
}
