import { findNode } from '../../../sources/config/config-tree.ts';
import { ConfigError } from '../../../sources/config/problem.ts';
import { readYamlTree } from '../../../sources/config/read-yaml-tree.ts';
import { readStrictFile } from '../read-strict-file.ts';
import { type AuthzConfig, authzSchema } from './authz-config.ts';
import { type Fault, loadPolicies } from './load-policies.ts';
import { readEntities } from './read-entities.ts';

/**
 * Reads the file of `--authz-config` (JSON or YAML, strict) and checks its policies and entities, so that a mistake
 * stops `run` with its line (contract 5).
 * @throws ConfigError `config_invalid`
 */
export async function readAuthzFile(text: string, file: string): Promise<AuthzConfig> {
  const config = readStrictFile(text, file, authzSchema);
  const place = (path: readonly (string | number)[]) => {
    const { root } = readYamlTree(text, undefined);
    return (root && findNode(root, path)?.at) ?? { line: 1, column: 1 };
  };
  const entities = await readEntities(config.cedar.entities_json);
  if ('fault' in entities) {
    const at = place(['cedar', 'entities_json']);
    throw new ConfigError('config_invalid', [
      { file, ...at, message: `cedar.entities_json ${entities.fault}` },
    ]);
  }
  const loaded = await loadPolicies(config.cedar.policies);
  if (!('faults' in loaded)) return config;
  throw new ConfigError(
    'config_invalid',
    loaded.faults.map((fault) => {
      const at = place(['cedar', 'policies', fault.index]);
      return {
        file,
        ...placeInFile(text, at, fault),
        message: `cedar.policies[${fault.index}] ${fault.message}`,
      };
    }),
  );
}

/** Where a line of a policy is in the file: below the header of a block scalar, or on the line of a quoted one. */
function placeInFile(
  text: string,
  at: { readonly line: number; readonly column: number },
  fault: Fault,
): { line: number; column: number } {
  const header = text.split('\n')[at.line - 1]?.[at.column - 1];
  if (header === '|' || header === '>') return { line: at.line + fault.line, column: fault.column };
  return { line: at.line, column: at.column };
}
