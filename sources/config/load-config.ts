import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { checkReferences } from './check-references.ts';
import { coerceScalars } from './coerce-scalars.ts';
import { type ConfigNode, formatPath, toPlain } from './config-tree.ts';
import type { Environment } from './expand-variables.ts';
import { explainIssue } from './explain-issue.ts';
import { type Finding, locateProblem } from './locate-problem.ts';
import { overrideFromEnvironment, setScalar } from './override-from-environment.ts';
import { ConfigError, type Problem } from './problem.ts';
import { readYamlTree } from './read-yaml-tree.ts';
import { type AuthConfig, type Config, configSchema, type LoadedConfig } from './schema.ts';

export interface CheckOptions {
  /** The `--auth-mode` of the command line; it wins over the environment and the file. */
  readonly authMode?: AuthConfig['mode'];
}

export interface LoadOptions extends CheckOptions {
  /** Default: that of the process. */
  readonly env?: Environment;
  /** Reads a file as UTF-8 text. */
  readonly readFile?: (file: string) => Promise<string>;
}

export interface CheckedConfig {
  /** Present exactly when there are no problems. */
  readonly config?: Config;
  readonly problems: readonly Problem[];
}

/**
 * Reads and checks a configuration file (contract 2).
 * @param file as the user gave it: problems show it so; relative to the working directory
 * @throws ConfigError `config_invalid` with every problem, `config_not_found`, `config_unreadable`
 */
export async function loadConfig(file: string, options: LoadOptions = {}): Promise<LoadedConfig> {
  const text = await readText(file, options.readFile ?? ((name) => readFile(name, 'utf8')));
  const { config, problems } = checkConfigText(text, file, options.env ?? process.env, options);
  if (config === undefined) throw new ConfigError('config_invalid', problems);
  const baseDir = path.dirname(path.resolve(file));
  return { config, file, baseDir, dataDir: path.resolve(baseDir, config.dataDir) };
}

/**
 * Checks the text of a configuration: YAML, variables, overrides, schema and the rules that span fields. Never throws.
 * @param shownPath the path that problems name
 * @param env where `${NAME}` and `BERTH_<PATH>` are looked up
 * @returns all problems in the order of the file
 */
export function checkConfigText(
  text: string,
  shownPath: string,
  env: Environment,
  options: CheckOptions = {},
): CheckedConfig {
  const { root, faults } = readYamlTree(text, env);
  const problems: Problem[] = faults.map(({ at, ...fault }) => ({ file: shownPath, ...at, ...fault }));
  const start: ConfigNode = root ?? { kind: 'scalar', value: null, at: { line: 1, column: 1 } };
  if (start.kind !== 'map') {
    if (faults.length > 0) return { problems };
    const message =
      start.kind === 'scalar' && start.value === null ? 'the configuration is empty' : 'must be a map';
    return { problems: [{ file: shownPath, ...start.at, message, fix: 'It needs sources and registries.' }] };
  }
  overrideFromEnvironment(start, configSchema, env);
  if (options.authMode !== undefined) setScalar(start, ['auth', 'mode'], options.authMode, '--auth-mode');
  coerceScalars(start, configSchema);
  const parsed = configSchema.safeParse(toPlain(start));
  const issues = parsed.success ? [] : parsed.error.issues;
  const findings = joinFindings(
    issues.flatMap((issue) => explainIssue(issue, start, configSchema)),
    checkReferences(start),
  );
  const known = new Set(problems.map(keyOfPlace));
  for (const finding of findings) {
    const problem = locateProblem(start, shownPath, finding);
    // What could not be read is no second problem for having no value.
    if (!known.has(keyOfPlace(problem))) problems.push(problem);
  }
  if (problems.length > 0) return { problems: sortByPlace(problems) };
  return parsed.success ? { config: carryOver(parsed.data, start), problems: [] } : { problems };
}

/** What both the schema and a rule miss is told in the words of the rule. */
function joinFindings(bySchema: readonly Finding[], byRules: readonly Finding[]): Finding[] {
  const missing = new Set(
    byRules.filter((one) => one.fault === 'missing').map((one) => formatPath(one.path)),
  );
  return [
    ...bySchema.filter((one) => one.fault !== 'missing' || !missing.has(formatPath(one.path))),
    ...byRules,
  ];
}

/** `database.maxMetaSize`, where older files have it, is the limit unless `limits` gives its own. */
function carryOver(config: Config, root: ConfigNode): Config {
  const older = config.database?.maxMetaSize;
  const limits = root.kind === 'map' ? root.entries.get('limits')?.node : undefined;
  if (older === undefined || (limits?.kind === 'map' && limits.entries.has('maxMetaBytes'))) return config;
  return { ...config, limits: { ...config.limits, maxMetaBytes: older } };
}

function keyOfPlace(problem: Problem): string {
  return `${problem.line}:${problem.column}`;
}

function sortByPlace(problems: readonly Problem[]): Problem[] {
  return [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
}

async function readText(file: string, read: (file: string) => Promise<string>): Promise<string> {
  try {
    return await read(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      const message = `${file}: the configuration file does not exist. Create it, or name another one with --config.`;
      throw new ConfigError('config_not_found', [], message, error);
    }
    const why = code === 'EISDIR' ? 'is a directory' : `cannot be read (${code})`;
    const message = `${file}: the configuration file ${why}. Name a readable file with --config.`;
    throw new ConfigError('config_unreadable', [], message, error);
  }
}
