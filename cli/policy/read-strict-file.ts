import type { z } from 'zod';
import { toPlain } from '../../sources/config/config-tree.ts';
import { explainIssue } from '../../sources/config/explain-issue.ts';
import { locateProblem } from '../../sources/config/locate-problem.ts';
import { ConfigError, type Problem } from '../../sources/config/problem.ts';
import { readYamlTree } from '../../sources/config/read-yaml-tree.ts';

/**
 * Reads a JSON or YAML file of the proxy's policy strictly (contract 8 "Policy"): unknown keys are errors, and every
 * problem names file, line and column.
 * @param file the path as the user gave it
 * @throws ConfigError `config_invalid` with every problem
 */
export function readStrictFile<Schema extends z.ZodType>(
  text: string,
  file: string,
  schema: Schema,
): z.output<Schema> {
  const { root, faults } = readYamlTree(text, undefined);
  const problems: Problem[] = faults.map(({ at, ...fault }) => ({ file, ...at, ...fault }));
  if (root === undefined || problems.length > 0) {
    throw new ConfigError(
      'config_invalid',
      problems.length > 0 ? problems : [{ file, line: 1, column: 1, message: 'the file is empty' }],
    );
  }
  const parsed = schema.safeParse(toPlain(root));
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    'config_invalid',
    parsed.error.issues
      .flatMap((issue) => explainIssue(issue, root, schema))
      .map((finding) => locateProblem(root, file, finding)),
  );
}
