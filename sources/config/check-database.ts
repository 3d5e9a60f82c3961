import { findNode, listKeys } from './config-tree.ts';
import type { Finding } from './locate-problem.ts';
import type { Rule } from './rule.ts';

const FIELDS = ['host', 'port', 'user', 'password', 'passwordFile', 'database', 'sslMode'];

/** The rules of `database` (contract 2): a `url` or the single fields; one password. */
export const checkDatabase: Rule = (root) => {
  const path = ['database'];
  if (findNode(root, path)?.kind !== 'map') return [];
  const keys = listKeys(root, path);
  const findings: Finding[] = [];
  const given = keys.includes('url') ? keys.filter((key) => FIELDS.includes(key)) : [];
  for (const key of given) {
    findings.push({
      path: [...path, key],
      fault: 'key',
      message: `database has url; ${key} cannot be given as well`,
      fix: `Put it into the url, or describe the database by ${FIELDS.join(', ')}.`,
    });
  }
  if (!keys.includes('url') && !keys.includes('host')) {
    findings.push({
      path,
      fault: 'missing',
      message: 'database needs url or host',
      fix: 'Remove the block to use SQLite.',
    });
  }
  if (keys.includes('password') && keys.includes('passwordFile')) {
    findings.push({
      path: [...path, 'passwordFile'],
      fault: 'key',
      message: 'database has password and passwordFile',
      fix: 'Keep one of them.',
    });
  }
  return findings;
};
