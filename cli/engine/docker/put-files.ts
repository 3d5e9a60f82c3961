import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type Dockerode from 'dockerode';
import { pack } from 'tar-stream';
import type { ContainerSpec } from '../engine.ts';
import { statusOf } from '../engine-failure.ts';

type File = NonNullable<ContainerSpec['files']>[number];

/**
 * Writes files, owned by root, into a container that has not started. Directories that are missing are made.
 *
 * @param toVolumes the directories of the files are volumes of their own
 */
export async function putFiles(
  container: Dockerode.Container,
  files: readonly File[],
  toVolumes: boolean,
): Promise<void> {
  const directories = [...new Set(files.map(({ path }) => posix.dirname(path)))];
  if (!toVolumes) {
    await putArchive(container, '/', await findMissing(container, directories), files, (path) =>
      path.slice(1),
    );
    return;
  }
  for (const directory of directories) {
    const inside = files.filter(({ path }) => posix.dirname(path) === directory);
    await putArchive(container, directory, [], inside, posix.basename);
  }
}

async function putArchive(
  container: Dockerode.Container,
  target: string,
  directories: readonly string[],
  files: readonly File[],
  nameOf: (path: string) => string,
): Promise<void> {
  const tar = pack();
  for (const path of directories) tar.entry({ name: `${nameOf(path)}/`, type: 'directory', mode: 0o755 });
  for (const { path, content, mode = 0o644 } of files) tar.entry({ name: nameOf(path), mode }, content);
  tar.finalize();
  await container.putArchive(await buffer(tar), { path: target });
}

/** Directories that do not exist yet, parents first. Naming those that do would change their mode. */
async function findMissing(
  container: Dockerode.Container,
  directories: readonly string[],
): Promise<readonly string[]> {
  const missing = new Set<string>();
  for (const directory of directories) {
    const parts = directory.split('/').filter(Boolean);
    for (let length = 1; length <= parts.length; length++) {
      const path = `/${parts.slice(0, length).join('/')}`;
      if (!missing.has(path) && !(await exists(container, path))) missing.add(path);
    }
  }
  return [...missing];
}

async function exists(container: Dockerode.Container, path: string): Promise<boolean> {
  try {
    await container.infoArchive({ path });
    return true;
  } catch (error) {
    if (statusOf(error) === 404) return false;
    throw error;
  }
}
