import { DEFAULT_LIMIT } from '../consumer/list-parameters.ts';
import type { JsonSchema } from './component-schemas.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: true;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

const text = (minLength: number, maxLength: number): JsonSchema => ({ type: 'string', minLength, maxLength });
const inPath = (name: string, description: string, schema: JsonSchema, example: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
  example,
});
const inQuery = (name: string, description: string, schema: JsonSchema, example?: unknown): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
  ...(example === undefined ? {} : { example }),
});

const LABEL: JsonSchema = { type: 'string', pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' };
const SLASH = 'The slash is written as `%2F`';

/** The parameters of all calls, by the name the document keeps them under. */
const PARAMETERS = {
  registry: inPath('registry', 'Name of a registry.', LABEL, 'public'),
  source: inPath('source', 'Name of a source.', LABEL, 'upstream'),
  serverName: inPath(
    'name',
    `\`namespace/name\` of a server. ${SLASH}; a plain slash is understood too.`,
    { ...text(3, 200), pattern: '^[^/]+/[^/]+$' },
    'io.github.acme/weather',
  ),
  version: inPath('version', 'A version, or `latest`.', text(1, 255), 'latest'),
  skillNamespace: inPath('namespace', 'Namespace of a skill.', text(1, 200), 'io.github.acme'),
  skillName: inPath('name', 'Name of a skill, without its namespace.', text(1, 200), 'pdf-forms'),
  skillDirectory: inPath('name', 'Name of a skill as the index gives it.', text(1, 64), 'pdf-forms'),
  entryType: inPath('type', 'Kind of entry.', { type: 'string', enum: ['server', 'skill'] }, 'server'),
  entryName: inPath(
    'name',
    `\`namespace/name\` of a server or skill. ${SLASH}.`,
    { type: 'string', minLength: 3 },
    'io.github.acme/weather',
  ),
  entryVersion: inPath('version', 'One version.', text(1, 255), '1.2.0'),
  cursor: inQuery(
    'cursor',
    'The `nextCursor` of the page before. It carries the filters of that page, which win over those sent with it.',
    { type: 'string' },
  ),
  search: inQuery(
    'search',
    'Ranked full text over name, title, description, tags and tool names; prefixes and one typo are tolerated.',
    { type: 'string' },
  ),
  updatedSince: inQuery(
    'updated_since',
    'Only versions that changed since, such as `2026-01-31T12:00:00Z`. Deleted ones are included unless `include_deleted=false`.',
    { type: 'string', format: 'date-time' },
  ),
  versionFilter: inQuery('version', '`latest` or one exact version.', text(1, 255)),
  includeDeleted: inQuery('include_deleted', 'Show deleted versions too.', {
    type: 'boolean',
    default: false,
  }),
  tag: inQuery('tag', 'Only entries with this tag.', { type: 'string' }),
  sourceFilter: inQuery('source', 'Only entries that this source wins.', { type: 'string' }),
  skillStatus: inQuery('status', 'Only skills in this state.', {
    type: 'string',
    enum: ['active', 'deprecated', 'deleted'],
  }),
  managedSource: inQuery(
    'source',
    'A managed source; needed when there is more than one that could be meant.',
    LABEL,
  ),
  explainRegistry: { ...inQuery('registry', 'Name of a registry.', LABEL, 'public'), required: true },
  explainEntry: {
    ...inQuery(
      'entry',
      '`server/NAMESPACE/NAME` or `skill/NAMESPACE/NAME`.',
      { type: 'string', pattern: '^(server|skill)/.+/.+$' },
      'server/io.github.acme/weather',
    ),
    required: true,
  },
  explainClaims: inQuery('claims', 'The claims of the caller in question, as a JSON object.', {
    type: 'string',
    contentMediaType: 'application/json',
    default: '{}',
  }),
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier answer; 304 when nothing changed.',
    schema: { type: 'string' },
  },
  requestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Taken over as the request id when it is 1 to 128 visible ASCII characters.',
    schema: { type: 'string', pattern: '^[!-~]{1,128}$' },
  },
  hubSignature: {
    name: 'X-Hub-Signature-256',
    in: 'header',
    description: 'GitHub and Gitea: HMAC-SHA256 of the body. It decides alone when it is present.',
    schema: { type: 'string', pattern: '^sha256=[0-9a-fA-F]{64}$' },
  },
  gitlabToken: {
    name: 'X-Gitlab-Token',
    in: 'header',
    description: 'GitLab: the secret itself.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, Parameter>;

export type ParameterName = keyof typeof PARAMETERS | 'limit';

/**
 * The `components.parameters` of the document.
 * @param maxPageSize `limits.maxPageSize`
 */
export function writeParameters(maxPageSize: number): Record<ParameterName, Parameter> {
  const schema = {
    type: 'integer',
    minimum: 1,
    maximum: maxPageSize,
    default: Math.min(DEFAULT_LIMIT, maxPageSize),
  };
  return { ...PARAMETERS, limit: inQuery('limit', 'Most items on a page.', schema) };
}
