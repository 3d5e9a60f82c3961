import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoadOptions } from '../../sources/config/load-config.ts';
import { loadConfig } from '../../sources/config/load-config.ts';
import { BerthError } from '../../sources/errors.ts';
import type { BundleCache } from './bundle-cache.ts';
import { checkOutRevision } from './check-out-revision.ts';
import type { ComparedState } from './compared-state.ts';
import { compileConfig } from './compile-config.ts';
import { openBundles } from './open-bundles.ts';

export interface LoadStateOptions {
  /** Where the configuration is in a git revision; relative to the working directory. */
  readonly configFile: string;
  readonly env: NonNullable<LoadOptions['env']>;
  /** A directory of our own outside the tree. */
  readonly scratch: string;
  readonly cache: BundleCache;
}

/**
 * Finds out what an argument of `berth diff` names, and loads it: a directory of bundles, a configuration file, else a
 * git revision of the repository in the working directory.
 * @throws BerthError `diff_side_unknown` and those of loading, compiling and git
 */
export async function loadState(label: string, options: LoadStateOptions): Promise<ComparedState> {
  const { env, scratch, cache } = options;
  const found = await stat(label).catch(() => undefined);
  if (found?.isFile()) {
    return compileConfig(label, await loadConfig(label, { env }), { scratch, cache });
  }
  if (!found) {
    const tree = await checkOutRevision(label, options.configFile, scratch);
    const loaded = await loadConfig(tree.configFile, { env }).catch((error: unknown) => {
      throw error instanceof BerthError ? inRevision(error, label, tree.root) : error;
    });
    return compileConfig(label, loaded, { scratch, cache, remoteBaseDir: tree.originalDir });
  }
  for (const directory of [label, join(label, 'bundles')]) {
    if (await isFile(join(directory, 'manifest.json'))) return openBundles(label, directory);
  }
  const inside = join(label, 'registry.config.yaml');
  if (await isFile(inside))
    return compileConfig(label, await loadConfig(inside, { env }), { scratch, cache });
  throw new BerthError('diff_side_unknown', `${label} holds neither bundles nor a registry.config.yaml.`, {
    fix: 'Name a directory written by berth build --out, a configuration file or a git revision.',
  });
}

/** Problems name the file of the revision, not the place where it was laid out. */
function inRevision(error: BerthError, revision: string, root: string): BerthError {
  const message = error.message.replaceAll(`${root}/`, `${revision}:`);
  return new BerthError(error.code, message, { ...(error.fix === undefined ? {} : { fix: error.fix }) });
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}
