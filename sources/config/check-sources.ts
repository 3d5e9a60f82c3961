import {
  type ConfigNode,
  type ConfigPath,
  findNode,
  findText,
  formatPath,
  isTrue,
  listElements,
  listKeys,
} from './config-tree.ts';
import { parseDuration } from './duration.ts';
import { findGlobFault } from './glob-fault.ts';
import type { Finding } from './locate-problem.ts';
import { isLoopbackUrl, readUrl } from './loopback-url.ts';
import { findRepeatedNames, joinWithOr, type Rule } from './rule.ts';

const KINDS = ['file', 'git', 'api', 'kubernetes', 'managed'];
const FETCHED = ['file', 'git', 'api'];
const MAX_API_TIMEOUT = 300_000;

/** The rules of `sources[]` (contract 2). */
export const checkSources: Rule = (root) => [
  ...findRepeatedNames(root, ['sources'], 'source'),
  ...listElements(root, ['sources']).flatMap((source) => [
    ...checkKind(root, source),
    ...checkFile(root, [...source, 'file']),
    ...checkGit(root, [...source, 'git']),
    ...checkApi(root, [...source, 'api']),
    ...checkGlobs(root, [...source, 'filter', 'names']),
  ]),
];

function checkKind(root: ConfigNode, source: ConfigPath): Finding[] {
  if (findNode(root, source)?.kind !== 'map') return [];
  const kinds = listKeys(root, source).filter((key) => KINDS.includes(key));
  const findings = findSurplus(source, kinds);
  const name = formatPath(source);
  if (kinds.length === 0) {
    const message = `${name} has no kind; it needs exactly one of ${KINDS.join(', ')}`;
    findings.push({ path: source, fault: 'missing', message });
  }
  const fetched = kinds.find((kind) => FETCHED.includes(kind));
  if (fetched !== undefined && findNode(root, [...source, 'syncPolicy']) === undefined) {
    findings.push({
      path: source,
      fault: 'missing',
      message: `${name}.syncPolicy.interval is required for a ${fetched} source`,
      fix: 'Say how often it is fetched, such as syncPolicy: {interval: 30m}.',
    });
  }
  return findings;
}

/** Each of `present` but the first, when only one may be given. */
function findSurplus(path: ConfigPath, present: readonly string[]): Finding[] {
  return present.slice(1).map((key) => ({
    path: [...path, key],
    fault: 'key',
    message: `${formatPath(path)} already has ${present[0]}; ${key} cannot be given as well`,
    fix: 'Keep one of them.',
  }));
}

function checkFile(root: ConfigNode, file: ConfigPath): Finding[] {
  if (findNode(root, file)?.kind !== 'map') return [];
  const keys = listKeys(root, file);
  const places = keys.filter((key) => ['path', 'url', 'data'].includes(key));
  const findings = findSurplus(file, places);
  const name = formatPath(file);
  if (places.length === 0) {
    findings.push({ path: file, fault: 'missing', message: `${name} needs exactly one of path, url, data` });
  }
  if (keys.includes('timeout') && places.length > 0 && !places.includes('url')) {
    const message = `${name}.timeout applies to url only`;
    findings.push({ path: [...file, 'timeout'], fault: 'key', message, fix: 'Remove it.' });
  }
  const url = readUrl(findText(root, [...file, 'url']));
  if (url?.protocol === 'http:' && !isLoopbackUrl(url) && !isTrue(root, [...file, 'insecure'])) {
    findings.push({
      path: [...file, 'url'],
      message: `${name}.url must be https`,
      fix: 'Use https, or accept the risk with insecure: true.',
    });
  }
  return findings;
}

function checkGit(root: ConfigNode, git: ConfigPath): Finding[] {
  const findings = findSurplus(
    git,
    listKeys(root, git).filter((key) => ['branch', 'tag', 'commit'].includes(key)),
  );
  const auth = [...git, 'auth'];
  const keys = listKeys(root, auth);
  const password = keys.filter((key) => key === 'username' || key === 'passwordFile');
  if (password.length === 1) {
    const other = password[0] === 'username' ? 'passwordFile' : 'username';
    const message = `${formatPath(auth)} has ${password[0]} without ${other}`;
    findings.push({
      path: [...auth, password[0] ?? ''],
      fault: 'key',
      message,
      fix: 'Give both or neither.',
    });
  }
  if (password.length > 0 && keys.includes('sshKeyFile')) {
    findings.push({
      path: [...auth, 'sshKeyFile'],
      fault: 'key',
      message: `${formatPath(auth)} has ${joinWithOr(password)} and sshKeyFile, but there is one way to sign in`,
      fix: 'Keep username and passwordFile for https, or sshKeyFile for ssh.',
    });
  }
  return findings;
}

function checkApi(root: ConfigNode, api: ConfigPath): Finding[] {
  const ways = listKeys(root, [...api, 'auth']).filter((key) =>
    ['tokenFile', 'clientCredentials'].includes(key),
  );
  const findings = findSurplus([...api, 'auth'], ways);
  const timeout = findText(root, [...api, 'timeout']);
  if (timeout !== undefined && (parseDuration(timeout) ?? 0) > MAX_API_TIMEOUT) {
    findings.push({
      path: [...api, 'timeout'],
      message: `${formatPath([...api, 'timeout'])} must be at most 5m`,
    });
  }
  return findings;
}

function checkGlobs(root: ConfigNode, names: ConfigPath): Finding[] {
  return ['include', 'exclude'].flatMap((list) =>
    listElements(root, [...names, list]).flatMap((path): Finding[] => {
      const pattern = findText(root, path);
      const fault = pattern === undefined ? undefined : findGlobFault(pattern);
      return fault === undefined ? [] : [{ path, message: `${formatPath(path)}: the pattern ${fault}` }];
    }),
  );
}
