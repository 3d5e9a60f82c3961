import { decodePath } from '../http/decode-path.ts';
import { HttpError } from '../http/problem.ts';

/** A path below `/registry/{name}`, taken apart. Names are checked, versions are texts. */
export type ConsumerRoute =
  | { readonly kind: 'servers' }
  | { readonly kind: 'server-versions'; readonly name: string }
  | { readonly kind: 'server-version'; readonly name: string; readonly version: string }
  | { readonly kind: 'skills' }
  | { readonly kind: 'skill'; readonly name: string }
  | { readonly kind: 'skill-versions'; readonly name: string }
  | { readonly kind: 'skill-version'; readonly name: string; readonly version: string }
  | { readonly kind: 'skill-index' }
  | { readonly kind: 'skill-file'; readonly file: string };

/** Route templates for metrics and traces. */
export const ROUTE_TEMPLATES: Readonly<Record<ConsumerRoute['kind'], string>> = {
  servers: '/registry/{registry}/v0.1/servers',
  'server-versions': '/registry/{registry}/v0.1/servers/{name}/versions',
  'server-version': '/registry/{registry}/v0.1/servers/{name}/versions/{version}',
  skills: '/registry/{registry}/v0.1/x/dev.toolhive/skills',
  skill: '/registry/{registry}/v0.1/x/dev.toolhive/skills/{namespace}/{name}',
  'skill-versions': '/registry/{registry}/v0.1/x/dev.toolhive/skills/{namespace}/{name}/versions',
  'skill-version': '/registry/{registry}/v0.1/x/dev.toolhive/skills/{namespace}/{name}/versions/{version}',
  'skill-index': '/registry/{registry}/.well-known/agent-skills/index.json',
  'skill-file': '/registry/{registry}/.well-known/agent-skills/{file}',
};

const SERVER_NAME = /^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?\/[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$/;
const API_VERSIONS = new Set(['v0.1', 'v0']);

/**
 * Finds what a path below a registry means (contract 5).
 * @param rest the raw path behind `/registry/{name}`, starting with `/`
 * @returns undefined for a path that does not exist
 * @throws HttpError 400 `path_encoding_invalid`, `name_invalid`, `version_invalid`
 */
export function matchRoute(rest: string): ConsumerRoute | undefined {
  const [first, ...path] = decodePath(rest);
  if (path.length > 1 && path.at(-1) === '') path.pop();
  if (first === '.well-known' && path[0] === 'agent-skills') return matchDiscovery(path.slice(1));
  if (first === undefined || !API_VERSIONS.has(first)) return undefined;
  if (path[0] === 'servers') return matchServers(path.slice(1));
  if (path[0] === 'x' && path[1] === 'dev.toolhive' && path[2] === 'skills')
    return matchSkills(path.slice(3));
  return undefined;
}

function matchDiscovery(path: readonly string[]): ConsumerRoute | undefined {
  if (path.length === 1 && path[0] === 'index.json') return { kind: 'skill-index' };
  return path.length === 1 || path.length === 2 ? { kind: 'skill-file', file: path.join('/') } : undefined;
}

function matchServers(path: readonly string[]): ConsumerRoute | undefined {
  if (path.length === 0) return { kind: 'servers' };
  // A name may come with its slash unencoded: two segments before `versions`.
  const [name, word, version] = path[1] === 'versions' ? path : [`${path[0]}/${path[1]}`, ...path.slice(2)];
  if (word !== 'versions' || path.indexOf('versions', 1) < path.length - 2) return undefined;
  if (name === undefined || name.length < 3 || name.length > 200 || !SERVER_NAME.test(name)) {
    throw new HttpError(
      400,
      'name_invalid',
      'The server name must look like namespace/name, with the slash written as %2F.',
    );
  }
  return version === undefined
    ? { kind: 'server-versions', name }
    : { kind: 'server-version', name, version: checkVersion(version) };
}

function matchSkills(path: readonly string[]): ConsumerRoute | undefined {
  const [namespace, skill, word, version] = path;
  if (namespace === undefined) return { kind: 'skills' };
  if (skill === undefined || path.length > 4 || (word !== undefined && word !== 'versions')) return undefined;
  if (!isNamePart(namespace) || !isNamePart(skill)) {
    throw new HttpError(400, 'name_invalid', 'The skill must be named as namespace/name, without blanks.');
  }
  const name = `${namespace}/${skill}`;
  if (word === undefined) return { kind: 'skill', name };
  return version === undefined
    ? { kind: 'skill-versions', name }
    : { kind: 'skill-version', name, version: checkVersion(version) };
}

function isNamePart(text: string): boolean {
  return text.length > 0 && text.length <= 200 && !/[\s/]/.test(text);
}

/** Blanks inside are allowed as they are in catalogs, so that everything that is listed can be read. */
function checkVersion(version: string): string {
  if (version.trim() === '' || [...version].length > 255 || /\p{Cc}/u.test(version)) {
    throw new HttpError(
      400,
      'version_invalid',
      'The version must be `latest` or 1 to 255 characters without control characters.',
    );
  }
  return version;
}
