import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import type { LoadedConfig, SourceConfig } from '../../sources/config/schema.ts';
import { isAddressAllowed, isAddressLiteral, isLoopbackName } from '../../sources/net/address-guard.ts';
import { HttpError } from '../http/problem.ts';

/**
 * What a source made through the API may touch (contract 6): files only below `sourcesPolicy.allowedPaths`, no private
 * address unless `sourcesPolicy.allowPrivateIP`. Names are checked again when a connection is made, so that one cannot
 * change its answer in between.
 * @throws HttpError 403 `path_forbidden`, `address_forbidden`
 */
export function checkSourcePolicy(source: SourceConfig, { config, baseDir }: LoadedConfig): void {
  const { allowedPaths, allowPrivateIP } = config.sourcesPolicy;
  const roots = allowedPaths.map((path) => resolve(baseDir, path));
  for (const path of listPaths(source)) {
    if (!roots.some((root) => isBelow(resolve(baseDir, path), root))) {
      throw new HttpError(
        403,
        'path_forbidden',
        `The path ${path} is not below a directory that sources made through the API may read (sourcesPolicy.allowedPaths).`,
      );
    }
  }
  if (allowPrivateIP) return;
  for (const url of listUrls(source)) {
    const host = hostOf(url);
    const literal = host !== undefined && isAddressLiteral(host);
    if (host === undefined || isLoopbackName(host) || (literal && !isAddressAllowed(host, 'public'))) {
      throw new HttpError(
        403,
        'address_forbidden',
        'Sources made through the API may not lead to private addresses (sourcesPolicy.allowPrivateIP).',
      );
    }
  }
}

function listPaths({ file, git, api, kubernetes }: SourceConfig): string[] {
  const local = git && !/^[a-z+]+:\/\/|^[^/]+@[^/]+:/i.test(git.repository) ? git.repository : undefined;
  const fileUrl =
    git && /^file:/i.test(git.repository) ? git.repository.replace(/^file:\/\//i, '') : undefined;
  const paths = [
    file?.path,
    local,
    fileUrl,
    git?.auth?.passwordFile,
    git?.auth?.sshKeyFile,
    kubernetes?.kubeconfig,
  ];
  paths.push(api?.auth?.tokenFile, api?.auth?.clientCredentials?.clientSecretFile);
  return paths.filter((path) => path !== undefined);
}

function listUrls({ file, git, api }: SourceConfig): string[] {
  const remote =
    git && /^[a-z+]+:\/\/|^[^/]+@[^/]+:/i.test(git.repository) && !/^file:/i.test(git.repository);
  const urls = [
    file?.url,
    api?.endpoint,
    api?.auth?.clientCredentials?.tokenUrl,
    remote ? git.repository : undefined,
  ];
  return urls.filter((url) => url !== undefined);
}

function hostOf(url: string): string | undefined {
  const short = /^[^/]+@([^/:]+):/.exec(url);
  if (short && !url.includes('://')) return short[1];
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** Links are followed where the path exists, so that one below an allowed directory cannot lead out of it. */
function isBelow(path: string, root: string): boolean {
  const inner = relative(realPath(root), realPath(path));
  return inner === '' || (!inner.startsWith('..') && !isAbsolute(inner));
}

function realPath(path: string): string {
  const base = path.replace(/[*?[{].*$/s, '');
  try {
    return realpathSync(base);
  } catch {
    return resolve(base);
  }
}
