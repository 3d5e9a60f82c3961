import type { z } from 'zod';
import { type ConfigNode, type ConfigPath, findNode, formatPath } from './config-tree.ts';
import { listAllowedKeys, type Schema } from './inspect-schema.ts';
import type { Finding } from './locate-problem.ts';
import { suggestName } from './nearest-name.ts';

type Issue = z.core.$ZodIssue;

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a map',
  record: 'a map',
  array: 'a list',
};

/** What the schema refused, in words, each with the path at fault. */
export function explainIssue(issue: Issue, root: ConfigNode, schema: Schema): Finding[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  const name = path.length === 0 ? 'the configuration' : formatPath(path);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => explainUnknownKey(path, key, schema));
  const node = findNode(root, path);
  if (node === undefined) return [{ path, fault: 'missing', message: `${name} is required` }];
  if (issue.code === 'invalid_key')
    return [{ path, fault: 'key', message: `${name}: the key must not be empty` }];
  if (issue.code === 'invalid_union' && issue.message === 'Invalid input') {
    return explainUnion(issue.errors, path, name, node, root, schema);
  }
  if (node.kind === 'scalar' && node.value === null) {
    return [{ path, message: `${name} is empty`, fix: 'Give it a value or remove the key.' }];
  }
  return [{ path, message: joinWords(name, explainValue(issue, node)), fix: suggestValue(issue, node) }];
}

function explainUnknownKey(path: ConfigPath, key: string, schema: Schema): Finding {
  const allowed = listAllowedKeys(schema, path);
  const where = path.length === 0 ? '' : ` in ${formatPath(path)}`;
  const list = allowed.length === 0 ? 'no keys are allowed here' : `allowed: ${allowed.join(', ')}`;
  return {
    path: [...path, key],
    fault: 'key',
    message: `unknown key "${key}"${where}; ${list}`,
    fix: suggestName(key, allowed),
  };
}

/** A union is explained by the alternative whose kind fits, else by the kinds that would. */
function explainUnion(
  errors: readonly (readonly Issue[])[],
  path: ConfigPath,
  name: string,
  node: ConfigNode,
  root: ConfigNode,
  schema: Schema,
): Finding[] {
  const fitting = errors.find((issues) => !issues.some(isWrongKind));
  if (fitting !== undefined) {
    return fitting.flatMap((issue) =>
      explainIssue({ ...issue, path: [...path, ...issue.path] }, root, schema),
    );
  }
  const kinds = errors
    .flat()
    .flatMap((issue) => (issue.code === 'invalid_type' ? [wordFor(issue.expected)] : []));
  return [
    { path, message: `${name} must be ${[...new Set(kinds)].join(' or ')}, not ${describeKind(node)}` },
  ];
}

/** Messages of the schema that are sentences of their own follow a colon. */
function joinWords(name: string, words: string): string {
  return /^(must|needs|is|has) /.test(words) ? `${name} ${words}` : `${name}: ${words}`;
}

function isWrongKind(issue: Issue): boolean {
  return issue.code === 'invalid_type' && issue.path.length === 0;
}

function explainValue(issue: Issue, node: ConfigNode): string {
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')) {
    return `must be ${wordFor(issue.expected)}, not ${describeKind(node)}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'too_small' && issue.message.startsWith('Too small')) {
    return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`;
  }
  if (issue.code === 'too_big' && issue.message.startsWith('Too big'))
    return `must be at most ${issue.maximum}`;
  return issue.message.replace(/^Invalid (input|string): /, '');
}

function suggestValue(issue: Issue, node: ConfigNode): string | undefined {
  if (issue.code !== 'invalid_value' || node.kind !== 'scalar' || typeof node.value !== 'string')
    return undefined;
  return suggestName(node.value, issue.values.map(String));
}

function wordFor(expected: string): string {
  return WORDS[expected] ?? expected;
}

/** The kind of a value, never the value itself: it may be a secret. */
function describeKind(node: ConfigNode): string {
  if (node.kind === 'list') return 'a list';
  if (node.kind === 'map') return 'a map';
  if (node.value === null) return 'empty';
  if (typeof node.value === 'string') return 'text';
  if (typeof node.value === 'boolean') return String(node.value);
  return Number.isInteger(node.value) ? 'a number' : 'a fraction';
}
