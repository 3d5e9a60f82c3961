import * as examples from './examples.ts';
import type { Operation } from './operation.ts';

const ROLE = 'Needs the role `manageSources`.';
const READ = { 400: ['path_encoding_invalid'], 403: ['role_missing'], 404: ['source_not_found'] };
const CHANGE = { ...READ, 403: ['role_missing', 'source_forbidden'] };

/** The part of the admin API on sources (contract 6). */
export const SOURCE_PATHS: readonly Operation[] = [
  {
    method: 'get',
    path: '/v1/sources',
    id: 'listSources',
    tag: 'Sources',
    summary: 'List sources',
    description: `Those you can see, by name. Without \`limit\` a page is as large as it may be. ${ROLE}`,
    parameters: ['limit', 'cursor'],
    answers: {
      200: {
        description: 'The sources.',
        schema: 'SourceList',
        example: { sources: [examples.SOURCE], metadata: { count: 1 } },
      },
    },
    problems: { 400: ['limit_invalid', 'cursor_invalid', 'query_invalid'], 403: ['role_missing'] },
  },
  {
    method: 'get',
    path: '/v1/sources/{source}',
    id: 'getSource',
    tag: 'Sources',
    summary: 'Get a source',
    description: `With its status; without secrets. ${ROLE}`,
    parameters: ['source'],
    answers: { 200: { description: 'The source.', schema: 'Source', example: examples.SOURCE } },
    problems: READ,
  },
  {
    method: 'put',
    path: '/v1/sources/{source}',
    id: 'putSource',
    tag: 'Sources',
    summary: 'Create or replace a source',
    description: `The body has exactly one of \`file\`, \`git\`, \`api\`, \`kubernetes\` and \`managed\`. Its claims must be a subset of yours. What it may reach is limited by \`sourcesPolicy\` of the configuration. ${ROLE}`,
    stores: true,
    parameters: ['source'],
    body: {
      schema: 'SourceBody',
      examples: { git: examples.SOURCE_BODY, managed: { managed: {}, claims: examples.CLAIMS } },
    },
    answers: {
      200: { description: 'Replaced.', schema: 'Source', example: examples.SOURCE, headers: ['Location'] },
      201: { description: 'Created.', schema: 'Source', example: examples.SOURCE, headers: ['Location'] },
    },
    problems: {
      400: ['source_invalid', 'source_kind_fixed', 'path_encoding_invalid'],
      403: [
        'role_missing',
        'source_forbidden',
        'source_config_owned',
        'claims_not_subset',
        'path_forbidden',
        'address_forbidden',
      ],
    },
  },
  {
    method: 'delete',
    path: '/v1/sources/{source}',
    id: 'deleteSource',
    tag: 'Sources',
    summary: 'Delete a source',
    description: `With all entries published into it. ${ROLE}`,
    stores: true,
    parameters: ['source'],
    answers: { 204: { description: 'Gone.' } },
    problems: {
      ...CHANGE,
      403: [...CHANGE[403], 'source_config_owned'],
      409: ['source_in_use'],
    },
  },
  {
    method: 'get',
    path: '/v1/sources/{source}/entries',
    id: 'listSourceEntries',
    tag: 'Sources',
    summary: 'List the raw entries of a source',
    description: `Servers and skills with all versions and claims, by type and name. ${ROLE}`,
    parameters: ['source', 'limit', 'cursor'],
    answers: {
      200: {
        description: 'A page.',
        schema: 'RawEntryList',
        example: { entries: [examples.RAW_ENTRY], metadata: { count: 1 } },
      },
    },
    problems: { ...READ, 400: ['limit_invalid', 'cursor_invalid', 'query_invalid', 'path_encoding_invalid'] },
  },
  {
    method: 'post',
    path: '/v1/sources/{source}/sync',
    id: 'syncSource',
    tag: 'Sources',
    summary: 'Sync a source now',
    description: `Joins the sync that is running, if any. ${ROLE}`,
    parameters: ['source'],
    answers: {
      202: {
        description: 'Asked for; the status as it is now.',
        schema: 'SourceStatus',
        example: { ...examples.SOURCE_STATUS, phase: 'syncing' },
      },
    },
    problems: { ...CHANGE, 409: ['source_not_syncable'] },
  },
  {
    method: 'get',
    path: '/v1/sources/{source}/bundles',
    id: 'listBundles',
    tag: 'Sources',
    summary: 'List the bundles of a source',
    description: `Those that are kept, newest first. ${ROLE}`,
    parameters: ['source'],
    answers: {
      200: { description: 'The bundles.', schema: 'BundleList', example: { bundles: [examples.BUNDLE] } },
    },
    problems: READ,
  },
  {
    method: 'post',
    path: '/v1/sources/{source}/rollback',
    id: 'rollbackSource',
    tag: 'Sources',
    summary: 'Serve an earlier bundle',
    description: `Stays until the source itself changes. ${ROLE}`,
    parameters: ['source'],
    body: { schema: 'RollbackBody', examples: { hash: { hash: '9f86d081884c' } } },
    answers: { 200: { description: 'Served from now on.', schema: 'Source', example: examples.SOURCE } },
    problems: {
      ...CHANGE,
      400: ['body_invalid', 'path_encoding_invalid'],
      404: ['source_not_found', 'bundle_unknown'],
    },
  },
];
