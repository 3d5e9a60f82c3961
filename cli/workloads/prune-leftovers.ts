import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Engine, LABELS } from '../engine/engine.ts';
import { changeBuiltImages, listBuiltImages } from './built-images.ts';
import { hasCode } from './has-code.ts';
import type { WorkloadStore } from './workload-store.ts';

/** One thing that belongs to no workload any more. */
export interface Leftover {
  readonly kind: 'image' | 'container' | 'network' | 'log' | 'files';
  readonly name: string;
}

interface FoundLeftover extends Leftover {
  readonly remove: () => Promise<void>;
}

/**
 * Finds what workloads that are gone left behind: images that were built for them, and of this state directory alone
 * containers, networks, logs and small files.
 *
 * @param engine absent when there is none: then only files are looked at
 * @returns what was removed, or would be
 */
export async function pruneLeftovers(
  store: WorkloadStore,
  engine: Engine | undefined,
  dryRun: boolean,
): Promise<readonly Leftover[]> {
  const names = new Set(await store.names());
  const found = [
    ...(engine ? await findInEngine(store, engine, names) : []),
    ...(await findDirectories(store.paths.logs, 'log', names)),
    ...(await findDirectories(join(store.paths.runtime('x'), '..'), 'files', names)),
  ];
  if (!dryRun) for (const { remove } of found) await remove();
  return found.map(({ kind, name }) => ({ kind, name }));
}

async function findInEngine(
  store: WorkloadStore,
  engine: Engine,
  names: ReadonlySet<string>,
): Promise<readonly FoundLeftover[]> {
  const isGone = (labels: Readonly<Record<string, string>>) => !names.has(labels[LABELS.workload] ?? '');
  const mine = [`${LABELS.owner}=${store.paths.owner}`];
  const containers = (await engine.listContainers(mine)).filter(({ labels }) => isGone(labels));
  const networks = (await engine.listNetworks(mine)).filter(({ labels }) => isGone(labels));
  const used = new Set((await store.list()).states.map(({ imageId }) => imageId));
  // Equal builds are shared by all users of an engine: what a container of anybody uses stays.
  const inUse = new Set((await engine.listContainers([LABELS.managed])).map(({ image }) => image));
  const built = new Set(await listBuiltImages(store.paths));
  const images = (await engine.listImages(LABELS.build)).filter(
    ({ id, tags }) => built.has(id) && !used.has(id) && !inUse.has(id) && !tags.some((tag) => inUse.has(tag)),
  );
  return [
    ...containers.map(
      ({ id, name }): FoundLeftover => ({
        kind: 'container',
        name,
        remove: () => engine.removeContainer(id),
      }),
    ),
    ...networks.map(
      ({ name }): FoundLeftover => ({ kind: 'network', name, remove: () => engine.removeNetwork(name) }),
    ),
    ...images.map(
      ({ id, tags }): FoundLeftover => ({
        kind: 'image',
        name: tags[0] ?? id,
        async remove() {
          await engine.removeImage(id);
          await changeBuiltImages(store.paths, (ids) => ids.filter((one) => one !== id));
        },
      }),
    ),
  ];
}

async function findDirectories(
  directory: string,
  kind: Leftover['kind'],
  names: ReadonlySet<string>,
): Promise<readonly FoundLeftover[]> {
  try {
    const entries = await readdir(directory);
    return entries
      .filter((name) => !names.has(name))
      .map((name) => ({
        kind,
        name,
        remove: () => rm(join(directory, name), { recursive: true, force: true }),
      }));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}
