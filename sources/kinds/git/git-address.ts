import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BerthError } from '../../errors.ts';
import { isLoopbackName } from '../../net/address-guard.ts';
import { showPath } from '../locate-path.ts';

/** A repository as git is given it, and as people are shown it. */
export interface GitAddress {
  readonly transport: 'https' | 'http' | 'ssh' | 'file';
  /** Given to git; holds no password, and for http(s) no user name either. */
  readonly url: string;
  /** Without credentials, query and host path. */
  readonly shown: string;
  /** Network transports only. */
  readonly host?: string;
  readonly port?: number;
  /** Credentials the address was written with (http and https). */
  readonly username?: string;
  readonly password?: string;
  /** `file` only: the absolute path. Never shown. */
  readonly localPath?: string;
}

/**
 * Reads the `repository` of a git source: https, http to loopback, ssh (`ssh://`, `git@host:path`), a `file://` URL
 * or a local path relative to `baseDir` (contract 2).
 *
 * @throws BerthError `source_git_refused` for every other transport and for anything git would take as an option
 */
export function readGitAddress(repository: string, baseDir: string): GitAddress {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u001f\u007f]/.test(repository)) throw refuse('holds control characters');
  if (repository.startsWith('-')) throw refuse('starts with a hyphen');
  if (/^[a-z0-9+.-]+::/i.test(repository)) throw refuse('names a remote helper');
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(repository)) return readUrl(repository);
  const remote = /^(?:(?<user>[^@/:\s]+)@)?(?<host>\[[0-9a-f:]+\]|[^@/:\s]+):(?<path>.+)$/i.exec(
    repository,
  )?.groups;
  if (remote) return readShort(remote.user, remote.host ?? '', remote.path ?? '');
  return describeLocal(resolve(baseDir, repository), showPath(repository) || '.');
}

function readUrl(written: string): GitAddress {
  if (!URL.canParse(written)) throw refuse('is not a valid URL');
  const url = new URL(written);
  if (url.protocol === 'file:') {
    if (url.hostname !== '' && url.hostname !== 'localhost') throw refuse('names a host in a file URL');
    const path = fileURLToPath(new URL(url.pathname, 'file:///'));
    return describeLocal(path, showPath(path));
  }
  const host = url.hostname;
  if (host === '' || host.startsWith('-')) throw refuse('has no valid host');
  const port = url.port === '' ? {} : { port: Number(url.port) };
  if (url.protocol === 'ssh:') {
    const user = decode(url.username);
    if (user.startsWith('-')) throw refuse('has no valid user name');
    if (url.pathname.startsWith('/-')) throw refuse('has a path that starts with a hyphen');
    url.password = '';
    url.search = '';
    url.hash = '';
    return { transport: 'ssh', url: url.href, shown: url.href, host, ...port };
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuse(`uses the transport ${url.protocol}//`);
  if (url.protocol === 'http:' && !isLoopbackName(host))
    throw refuse('uses plain http to a host that is not loopback');
  const username = decode(url.username);
  const password = decode(url.password);
  url.username = '';
  url.password = '';
  url.hash = '';
  return {
    transport: url.protocol === 'https:' ? 'https' : 'http',
    url: url.href,
    shown: `${url.origin}${url.pathname}`,
    host,
    ...port,
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
  };
}

function readShort(user: string | undefined, host: string, path: string): GitAddress {
  if (host.startsWith('-') || user?.startsWith('-'))
    throw refuse('has a host or user name that starts with a hyphen');
  if (path.startsWith('-')) throw refuse('has a path that starts with a hyphen');
  const url = `${user === undefined ? '' : `${user}@`}${host}:${path}`;
  return { transport: 'ssh', url, shown: url, host };
}

function describeLocal(path: string, shown: string): GitAddress {
  return { transport: 'file', url: pathToFileURL(path).href, shown, localPath: path };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function refuse(why: string): BerthError {
  return new BerthError('source_git_refused', `The git repository address ${why}.`, {
    fix: 'Use an https or ssh address, `git@host:path`, or a local path.',
  });
}
