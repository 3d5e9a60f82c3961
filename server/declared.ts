import type { RegistryConfig, SourceConfig } from '../sources/config/schema.ts';
import { BerthError } from '../sources/errors.ts';
import type { CreationType } from './source-report.ts';

/** A source or registry with who made it and when (ms). */
export interface Declared<T> {
  readonly config: T;
  readonly creationType: CreationType;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type DeclaredSource = Declared<SourceConfig>;
export type DeclaredRegistry = Declared<RegistryConfig>;

/** All sources and registries, of the configuration file and of the API. */
export interface Declarations {
  readonly sources: ReadonlyMap<string, DeclaredSource>;
  readonly registries: ReadonlyMap<string, DeclaredRegistry>;
}

export interface DeclareInput {
  readonly sources: readonly SourceConfig[];
  readonly registries: readonly RegistryConfig[];
  /** What was made through the API. */
  readonly api: Declarations;
  /** What was declared so far: dates of the unchanged are kept. */
  readonly before: Declarations | undefined;
  readonly now: number;
}

/**
 * Joins the configuration with what was made through the API. Neither takes over the other's names, and a source that
 * a registry still lists does not go away.
 * @throws BerthError `name_taken`, `source_in_use`
 */
export function declareAll(input: DeclareInput): Declarations {
  const { api } = input;
  refuseTaken('source', input.sources, api.sources);
  refuseTaken('registry', input.registries, api.registries);
  const sources = new Map([...fromConfig(input.sources, input.before?.sources, input.now), ...api.sources]);
  for (const { config } of api.registries.values()) {
    const missing = config.sources.find((name) => !sources.has(name));
    if (missing === undefined) continue;
    throw new BerthError(
      'source_in_use',
      `The registry ${config.name}, made through the API, lists the source ${missing}, which the configuration no longer has.`,
      {
        fix: `Change or delete that registry first (PUT or DELETE /v1/registries/${config.name}), or keep the source.`,
      },
    );
  }
  const registries = new Map([
    ...fromConfig(input.registries, input.before?.registries, input.now),
    ...api.registries,
  ]);
  return { sources, registries };
}

function fromConfig<T extends { readonly name: string }>(
  configs: readonly T[],
  before: ReadonlyMap<string, Declared<T>> | undefined,
  now: number,
): [string, Declared<T>][] {
  return configs.map((config) => {
    const known = before?.get(config.name);
    const same = known !== undefined && JSON.stringify(known.config) === JSON.stringify(config);
    const updatedAt = same ? known.updatedAt : now;
    return [config.name, { config, creationType: 'CONFIG', createdAt: known?.createdAt ?? now, updatedAt }];
  });
}

function refuseTaken(
  what: 'source' | 'registry',
  configs: readonly { readonly name: string }[],
  api: ReadonlyMap<string, unknown>,
): void {
  const taken = configs.find(({ name }) => api.has(name));
  if (!taken) return;
  throw new BerthError(
    'name_taken',
    `The configuration declares the ${what} ${taken.name}, but one of that name was made through the API.`,
    {
      fix: `Rename it in the configuration, or delete the other first (DELETE /v1/${what === 'source' ? 'sources' : 'registries'}/${taken.name}).`,
    },
  );
}
