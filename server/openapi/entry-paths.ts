import * as examples from './examples.ts';
import type { Operation } from './operation.ts';

const ROLE = 'Needs the role `manageEntries`.';
const ENTRY = '/v1/entries/{type}/{name}';
const VERSION = `${ENTRY}/versions/{version}`;
const VERSION_PARAMETERS = ['entryType', 'entryName', 'entryVersion', 'managedSource'] as const;
const CLAIMS_PARAMETERS = ['entryType', 'entryName', 'managedSource'] as const;
const PROBLEMS = {
  400: ['type_invalid', 'query_invalid', 'path_encoding_invalid'],
  403: ['role_missing', 'entry_forbidden'],
  404: ['entry_not_found', 'entry_not_managed'],
};

/** The part of the admin API on published entries, and on the caller (contract 6). */
export const ENTRY_PATHS: readonly Operation[] = [
  {
    method: 'post',
    path: '/v1/entries',
    id: 'publishEntry',
    tag: 'Entries',
    summary: 'Publish a version of a server or skill',
    description: `Into a managed source. Claims are needed wherever authentication is on, must be a subset of yours, and must be those of the entry's first version. ${ROLE}`,
    stores: true,
    parameters: ['managedSource'],
    body: {
      schema: 'PublishBody',
      examples: {
        server: { server: examples.SERVER, claims: examples.CLAIMS },
        skill: { skill: examples.SKILL, claims: examples.CLAIMS },
      },
    },
    answers: {
      201: {
        description: 'Published: the version as it is stored.',
        schema: 'PublishedEntry',
        example: examples.SERVER,
        headers: ['Location'],
      },
    },
    problems: {
      400: [
        'claims_missing',
        'claims_invalid',
        'kind_ambiguous',
        'schema_invalid',
        'no_managed_source',
        'source_unknown',
        'source_ambiguous',
        'query_invalid',
      ],
      403: ['role_missing', 'claims_not_subset', 'source_forbidden'],
      409: ['claims_differ', 'version_exists'],
    },
  },
  {
    method: 'get',
    path: VERSION,
    id: 'getEntryVersion',
    tag: 'Entries',
    summary: 'Get a published version',
    description: ROLE,
    parameters: VERSION_PARAMETERS,
    answers: {
      200: { description: 'The version.', schema: 'EntryVersion', example: examples.SERVER_ITEM },
    },
    problems: { ...PROBLEMS, 403: ['role_missing'] },
  },
  {
    method: 'patch',
    path: VERSION,
    id: 'setVersionStatus',
    tag: 'Entries',
    summary: 'Deprecate, delete or restore a version',
    description: `\`deleted\` hides it and keeps it. ${ROLE}`,
    stores: true,
    parameters: VERSION_PARAMETERS,
    body: {
      schema: 'StatusBody',
      examples: {
        deprecate: { status: 'deprecated', statusMessage: 'Use 2.0.0.' },
        restore: { status: 'active' },
      },
    },
    answers: {
      200: {
        description: 'The version as it is now.',
        schema: 'EntryVersion',
        example: examples.SERVER_ITEM,
      },
    },
    problems: { ...PROBLEMS, 400: ['status_invalid', ...PROBLEMS[400]] },
  },
  {
    method: 'delete',
    path: VERSION,
    id: 'deleteVersion',
    tag: 'Entries',
    summary: 'Delete a version for good',
    description: `The entry goes with its last version. ${ROLE}`,
    stores: true,
    parameters: VERSION_PARAMETERS,
    answers: { 204: { description: 'Gone.' } },
    problems: PROBLEMS,
  },
  {
    method: 'get',
    path: `${ENTRY}/claims`,
    id: 'getEntryClaims',
    tag: 'Entries',
    summary: 'Get the claims of an entry',
    description: `Of all its versions. ${ROLE}`,
    parameters: CLAIMS_PARAMETERS,
    answers: {
      200: { description: 'The claims.', schema: 'ClaimsEnvelope', example: { claims: examples.CLAIMS } },
    },
    problems: PROBLEMS,
  },
  {
    method: 'put',
    path: `${ENTRY}/claims`,
    id: 'putEntryClaims',
    tag: 'Entries',
    summary: 'Replace the claims of an entry',
    description: `They must be a subset of yours. \`{}\` clears them: under authorization only a super-admin sees the entry then. ${ROLE}`,
    stores: true,
    parameters: CLAIMS_PARAMETERS,
    body: {
      schema: 'ClaimsEnvelope',
      examples: { claims: { claims: examples.CLAIMS }, clear: { claims: {} } },
    },
    answers: { 204: { description: 'Replaced.' } },
    problems: {
      ...PROBLEMS,
      400: ['claims_missing', 'claims_invalid', ...PROBLEMS[400]],
      403: [...PROBLEMS[403], 'claims_not_subset'],
    },
  },
  {
    method: 'get',
    path: '/v1/me',
    id: 'getMe',
    tag: 'Caller',
    summary: 'Who you are',
    description: 'Subject and roles of the token. 401 where authentication is off.',
    answers: { 200: { description: 'You.', schema: 'Me', example: examples.ME } },
  },
  {
    method: 'get',
    path: '/v1/explain',
    id: 'explainVisibility',
    tag: 'Caller',
    summary: 'Why somebody sees or does not see an entry',
    description: 'Step by step, as `berth explain` tells it. For super-admins.',
    parameters: ['explainRegistry', 'explainEntry', 'explainClaims'],
    answers: {
      200: { description: 'The explanation.', schema: 'Explanation', example: examples.EXPLANATION },
    },
    problems: {
      400: ['claims_invalid', 'entry_reference_invalid', 'query_invalid'],
      403: ['role_missing'],
      404: ['registry_not_found'],
    },
  },
];
