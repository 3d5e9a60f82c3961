import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNode } from '../../sources/config/config-tree.ts';
import { type LoadOptions, loadConfig } from '../../sources/config/load-config.ts';
import { ConfigError } from '../../sources/config/problem.ts';
import { readYamlTree } from '../../sources/config/read-yaml-tree.ts';
import type { LoadedConfig, SourceConfig } from '../../sources/config/schema.ts';
import { createFetchSource } from '../../sources/kinds/fetch-source.ts';
import { locatePath } from '../../sources/kinds/locate-path.ts';
import { isCompiled } from '../compile-sources.ts';
import { type CheckPlace, checkFetched } from './check-fetched.ts';
import { findHostPath, showClickable } from './clickable-path.ts';
import { type Findings, joinFindings, NOTHING_FOUND } from './found-problem.ts';
import { cutOutInline } from './inline-catalog.ts';

export interface CheckConfigOptions {
  readonly env: NonNullable<LoadOptions['env']>;
  readonly cwd: string;
  /** Fetch git, api and url sources too. */
  readonly fetch: boolean;
}

/**
 * Checks a configuration and the catalogs it names, without serving and without writing anything that stays.
 * @throws ConfigError `config_not_found`, `config_unreadable`
 */
export async function checkConfig(file: string, options: CheckConfigOptions): Promise<Findings> {
  let loaded: LoadedConfig;
  try {
    loaded = await loadConfig(file, { env: options.env });
  } catch (error) {
    if (!(error instanceof ConfigError) || error.problems.length === 0) throw error;
    return { ...NOTHING_FOUND, problems: error.problems, notes: ['the catalogs were not looked at'] };
  }
  const text = await readFile(file, 'utf8');
  const scratch = await mkdtemp(join(tmpdir(), 'berth-validate-'));
  try {
    const all = loaded.config.sources.map((source, index) =>
      checkSource(source, { index, loaded, text, scratch, ...options }),
    );
    return joinFindings(await Promise.all(all));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface SourceCheck extends CheckConfigOptions {
  readonly index: number;
  readonly loaded: LoadedConfig;
  readonly text: string;
  readonly scratch: string;
}

async function checkSource(source: SourceConfig, check: SourceCheck): Promise<Findings> {
  const { loaded, cwd } = check;
  if (!isCompiled(source)) return NOTHING_FOUND;
  const local = source.file?.path !== undefined || source.file?.data !== undefined;
  if (!local && !check.fetch) {
    return { ...NOTHING_FOUND, notes: [`source ${source.name} was not fetched (--fetch does)`] };
  }
  const options = {
    sourceName: source.name,
    maxMetaBytes: loaded.config.limits.maxMetaBytes,
    ...(source.filter ? { filter: source.filter } : {}),
  };
  const whole = { file: loaded.file, ...locateSetting(source, check) };
  const inline = source.file?.data === undefined ? undefined : cutOutInline(check.text, check.index);
  const context = { baseDir: loaded.baseDir, dataDir: check.scratch };
  const fetch = async () => inline ?? createFetchSource({ allowPrivate: true })(source, context);
  const place: CheckPlace = {
    fileOf: chooseFile(source, loaded, cwd, whole.file),
    source: source.name,
    whole,
  };
  const findings = await checkFetched(fetch, options, place);
  if (source.file?.data === undefined || inline) return findings;
  // Lines count from the text of the value, which the file shows in another form.
  return { ...findings, problems: findings.problems.map((problem) => ({ ...problem, ...whole })) };
}

function chooseFile(source: SourceConfig, loaded: LoadedConfig, cwd: string, config: string) {
  const path = source.file?.path;
  if (path !== undefined) {
    const location = locatePath(path, loaded.baseDir);
    return (shown: string) => showClickable(findHostPath(location, shown), cwd);
  }
  return (shown: string) => (source.file?.data === undefined ? shown : config);
}

/** The line of what says where the source is. */
function locateSetting(source: SourceConfig, { text, env, index }: SourceCheck) {
  const { root } = readYamlTree(text, env);
  const kind = source.file ? 'file' : source.git ? 'git' : 'api';
  const keys = { file: ['path', 'url', 'data'], git: ['repository'], api: ['endpoint'] }[kind];
  const nodes = [...keys.map((key) => [kind, key]), [kind], []].map(
    (path) => root && findNode(root, ['sources', index, ...path]),
  );
  return nodes.find((node) => node !== undefined)?.at ?? { line: 1, column: 1 };
}
