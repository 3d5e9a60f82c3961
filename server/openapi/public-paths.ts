import * as examples from './examples.ts';
import type { Operation } from './operation.ts';

/** What surrounds the two APIs: the list of registries, the documents that are public in every mode, and git hooks. */
export const PUBLIC_PATHS: readonly Operation[] = [
  {
    method: 'get',
    path: '/registry',
    id: 'listReachableRegistries',
    tag: 'Registries',
    summary: 'List the registries you can reach',
    description: 'Each with the base URL that clients are given.',
    answers: {
      200: { description: 'The registries.', schema: 'ReachableRegistries', example: examples.REACHABLE },
    },
  },
  {
    method: 'get',
    path: '/.well-known/oauth-protected-resource',
    id: 'getProtectedResource',
    tag: 'Discovery',
    summary: 'Where to get a token (RFC 9728)',
    open: true,
    answers: {
      200: {
        description: 'The protected-resource metadata.',
        schema: 'ProtectedResource',
        example: examples.PROTECTED_RESOURCE,
      },
    },
    problems: { 404: ['not_protected'] },
  },
  {
    method: 'get',
    path: '/.well-known/oauth-protected-resource/registry/{registry}',
    id: 'getProtectedRegistry',
    tag: 'Discovery',
    summary: 'The same for one registry',
    description: 'Answers for any name, so that it does not tell which registries there are.',
    open: true,
    parameters: ['registry'],
    answers: {
      200: {
        description: 'The protected-resource metadata.',
        schema: 'ProtectedResource',
        example: examples.PROTECTED_RESOURCE,
      },
    },
    problems: { 404: ['not_protected'] },
  },
  {
    method: 'get',
    path: '/openapi.json',
    id: 'getOpenApi',
    tag: 'Discovery',
    summary: 'This document',
    open: true,
    conditional: true,
    answers: { 200: { description: 'OpenAPI 3.1.', type: 'application/json' } },
  },
  {
    method: 'post',
    path: '/hooks/git/{source}',
    id: 'receiveGitHook',
    tag: 'Hooks',
    summary: 'Sync a source because its repository changed',
    description:
      'For the webhooks of GitHub, Gitea and GitLab. Signed with the secret of the configuration instead of a token; there only when `hooks` is configured. A delivery that was seen before does nothing.',
    open: true,
    parameters: ['source', 'hubSignature', 'gitlabToken'],
    body: { examples: { push: { ref: 'refs/heads/main' } } },
    answers: {
      202: { description: 'Taken.', schema: 'HookAnswer', example: { status: 'accepted' } },
    },
    problems: {
      400: ['body_incomplete'],
      401: ['hook_signature_invalid'],
      404: ['hooks_disabled', 'source_not_found'],
      409: ['source_not_syncable'],
      413: ['body_too_large'],
    },
  },
];
