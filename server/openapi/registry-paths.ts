import * as examples from './examples.ts';
import type { Operation } from './operation.ts';

const ROLE = 'Needs the role `manageRegistries`.';
const READ = { 400: ['path_encoding_invalid'], 403: ['role_missing'], 404: ['registry_not_found'] };

/** The part of the admin API on registries (contract 6). */
export const REGISTRY_PATHS: readonly Operation[] = [
  {
    method: 'get',
    path: '/v1/registries',
    id: 'listRegistries',
    tag: 'Registries',
    summary: 'List registries with their settings',
    description: `Those you can see. ${ROLE}`,
    answers: {
      200: {
        description: 'The registries.',
        schema: 'RegistryList',
        example: { registries: [examples.REGISTRY], metadata: { count: 1 } },
      },
    },
    parameters: ['limit', 'cursor'],
    problems: { 400: ['limit_invalid', 'cursor_invalid', 'query_invalid'], 403: ['role_missing'] },
  },
  {
    method: 'get',
    path: '/v1/registries/{registry}',
    id: 'getRegistry',
    tag: 'Registries',
    summary: 'Get a registry',
    description: ROLE,
    parameters: ['registry'],
    answers: { 200: { description: 'The registry.', schema: 'Registry', example: examples.REGISTRY } },
    problems: READ,
  },
  {
    method: 'put',
    path: '/v1/registries/{registry}',
    id: 'putRegistry',
    tag: 'Registries',
    summary: 'Create or replace a registry',
    description: `The order of the sources decides whose entry wins. You must see each of them, and the claims must be a subset of yours. ${ROLE}`,
    stores: true,
    parameters: ['registry'],
    body: { schema: 'RegistryBody', examples: { registry: examples.REGISTRY_BODY } },
    answers: {
      200: {
        description: 'Replaced.',
        schema: 'Registry',
        example: examples.REGISTRY,
        headers: ['Location'],
      },
      201: { description: 'Created.', schema: 'Registry', example: examples.REGISTRY, headers: ['Location'] },
    },
    problems: {
      400: ['registry_invalid', 'path_encoding_invalid'],
      403: [
        'role_missing',
        'registry_forbidden',
        'registry_config_owned',
        'source_forbidden',
        'claims_not_subset',
      ],
    },
  },
  {
    method: 'delete',
    path: '/v1/registries/{registry}',
    id: 'deleteRegistry',
    tag: 'Registries',
    summary: 'Delete a registry',
    description: `Its sources stay. ${ROLE}`,
    stores: true,
    parameters: ['registry'],
    answers: { 204: { description: 'Gone.' } },
    problems: { ...READ, 403: ['role_missing', 'registry_forbidden', 'registry_config_owned'] },
  },
  {
    method: 'get',
    path: '/v1/registries/{registry}/entries',
    id: 'listRegistryEntries',
    tag: 'Registries',
    summary: 'List the raw entries of a registry',
    description: `Those of all its sources, before one hides another. ${ROLE}`,
    parameters: ['registry', 'limit', 'cursor'],
    answers: {
      200: {
        description: 'A page.',
        schema: 'RawEntryList',
        example: {
          entries: [{ ...examples.RAW_ENTRY, source: 'upstream', position: 0 }],
          metadata: { count: 1 },
        },
      },
    },
    problems: { ...READ, 400: ['limit_invalid', 'cursor_invalid', 'query_invalid', 'path_encoding_invalid'] },
  },
];
