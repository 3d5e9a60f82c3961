import * as examples from './examples.ts';
import type { Operation } from './operation.ts';

const BASE = '/registry/{registry}/v0.1';
const SKILLS = `${BASE}/x/dev.toolhive/skills`;
const DISCOVERY = '/registry/{registry}/.well-known/agent-skills';
const GATE = { 403: ['registry_forbidden'] };
const LIST_PROBLEMS = {
  400: [
    'limit_invalid',
    'cursor_invalid',
    'include_deleted_invalid',
    'query_invalid',
    'path_encoding_invalid',
  ],
  ...GATE,
  404: ['registry_not_found'],
};
const itemProblems = (notFound: string) => ({
  400: [
    'name_invalid',
    'version_invalid',
    'include_deleted_invalid',
    'query_invalid',
    'path_encoding_invalid',
  ],
  ...GATE,
  404: ['registry_not_found', notFound],
});
const SERVER_PROBLEMS = itemProblems('server_not_found');
const SKILL_PROBLEMS = itemProblems('skill_not_found');
const SKILL_PARAMETERS = ['registry', 'skillNamespace', 'skillName'] as const;

/** The consumer API (contract 5). */
export const CONSUMER_PATHS: readonly Operation[] = [
  {
    method: 'get',
    path: `${BASE}/servers`,
    id: 'listServers',
    tag: 'Servers',
    summary: 'List servers',
    description:
      'All visible versions of all visible servers, by name, newest version first. Where two sources of the registry have the same name, the first one the caller can see wins with all its versions.',
    conditional: true,
    parameters: [
      'registry',
      'cursor',
      'limit',
      'search',
      'updatedSince',
      'versionFilter',
      'includeDeleted',
      'tag',
      'sourceFilter',
    ],
    answers: { 200: { description: 'A page.', schema: 'ServerList', example: examples.SERVER_LIST } },
    problems: { ...LIST_PROBLEMS, 400: [...LIST_PROBLEMS[400], 'updated_since_invalid'] },
  },
  {
    method: 'get',
    path: `${BASE}/servers/{name}/versions`,
    id: 'listServerVersions',
    tag: 'Servers',
    summary: 'List the versions of a server',
    conditional: true,
    parameters: ['registry', 'serverName', 'includeDeleted'],
    answers: {
      200: {
        description: 'All of them, newest first.',
        schema: 'ServerList',
        example: examples.SERVER_VERSIONS,
      },
    },
    problems: SERVER_PROBLEMS,
  },
  {
    method: 'get',
    path: `${BASE}/servers/{name}/versions/{version}`,
    id: 'getServerVersion',
    tag: 'Servers',
    summary: 'Get a version of a server',
    description:
      '`latest` is the highest stable version, else the highest pre-release, else the last by text.',
    conditional: true,
    parameters: ['registry', 'serverName', 'version', 'includeDeleted'],
    answers: { 200: { description: 'The version.', schema: 'ServerItem', example: examples.SERVER_ITEM } },
    problems: SERVER_PROBLEMS,
  },
  {
    method: 'get',
    path: SKILLS,
    id: 'listSkills',
    tag: 'Skills',
    summary: 'List skills',
    description: 'The latest version of every visible skill, by name.',
    conditional: true,
    parameters: [
      'registry',
      'cursor',
      'limit',
      'search',
      'skillStatus',
      'tag',
      'sourceFilter',
      'includeDeleted',
    ],
    answers: { 200: { description: 'A page.', schema: 'SkillList', example: examples.SKILL_LIST } },
    problems: { ...LIST_PROBLEMS, 400: [...LIST_PROBLEMS[400], 'status_invalid'] },
  },
  {
    method: 'get',
    path: `${SKILLS}/{namespace}/{name}`,
    id: 'getSkill',
    tag: 'Skills',
    summary: 'Get the latest version of a skill',
    conditional: true,
    parameters: [...SKILL_PARAMETERS, 'includeDeleted'],
    answers: { 200: { description: 'The skill.', schema: 'SkillItem', example: examples.SKILL_ITEM } },
    problems: SKILL_PROBLEMS,
  },
  {
    method: 'get',
    path: `${SKILLS}/{namespace}/{name}/versions`,
    id: 'listSkillVersions',
    tag: 'Skills',
    summary: 'List the versions of a skill',
    conditional: true,
    parameters: [...SKILL_PARAMETERS, 'includeDeleted'],
    answers: {
      200: { description: 'All of them, newest first.', schema: 'SkillList', example: examples.SKILL_LIST },
    },
    problems: SKILL_PROBLEMS,
  },
  {
    method: 'get',
    path: `${SKILLS}/{namespace}/{name}/versions/{version}`,
    id: 'getSkillVersion',
    tag: 'Skills',
    summary: 'Get a version of a skill',
    conditional: true,
    parameters: [...SKILL_PARAMETERS, 'version', 'includeDeleted'],
    answers: { 200: { description: 'The version.', schema: 'SkillItem', example: examples.SKILL_ITEM } },
    problems: SKILL_PROBLEMS,
  },
  {
    method: 'get',
    path: `${DISCOVERY}/index.json`,
    id: 'getSkillIndex',
    tag: 'Skills',
    summary: 'Agent Skills discovery index',
    description:
      'Lets `npx skills add BASE_URL` install from this registry. Holds the latest version of every visible skill that has files.',
    conditional: true,
    parameters: ['registry'],
    answers: {
      200: { description: 'The index.', schema: 'DiscoveryIndex', example: examples.DISCOVERY_INDEX },
    },
    problems: { ...GATE, 404: ['registry_not_found'] },
  },
  {
    method: 'get',
    path: `${DISCOVERY}/{name}/SKILL.md`,
    id: 'getSkillDocument',
    tag: 'Skills',
    summary: 'Download a skill that is one file',
    conditional: true,
    parameters: ['registry', 'skillDirectory'],
    answers: { 200: { description: 'The SKILL.md.', type: 'text/markdown' } },
    problems: {
      400: ['path_encoding_invalid'],
      ...GATE,
      404: ['registry_not_found', 'skill_file_not_found'],
    },
  },
  {
    method: 'get',
    path: `${DISCOVERY}/{name}.tar.gz`,
    id: 'getSkillArchive',
    tag: 'Skills',
    summary: 'Download a skill of several files',
    conditional: true,
    parameters: ['registry', 'skillDirectory'],
    answers: { 200: { description: 'The archive.', type: 'application/gzip' } },
    problems: {
      400: ['path_encoding_invalid'],
      ...GATE,
      404: ['registry_not_found', 'skill_file_not_found'],
    },
  },
];
