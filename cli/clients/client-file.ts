import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { UserDirectories } from '../user-directories.ts';
import type { AiClient, PathBase } from './client-table.ts';

/** The file a client reads on this machine, and whether the client seems to be there. */
export interface ClientFile {
  readonly file: string;
  readonly isFound: boolean;
}

/** Finds the file of a client: the first that is there, else the first whose directory is, else the first. */
export function findClientFile(
  client: AiClient,
  directories: UserDirectories,
  platform: NodeJS.Platform = process.platform,
): ClientFile {
  const places = client.files.flatMap(({ base, path, windows }) =>
    listBases(base, directories, platform).map((root) =>
      join(root, ...(platform === 'win32' && windows !== undefined ? windows : path).split('/')),
    ),
  );
  const [first = ''] = places;
  const file = places.find((place) => existsSync(place));
  if (file !== undefined) return { file, isFound: true };
  const marked = places.find((place) => isMarked(client, place, directories.home));
  return { file: marked ?? first, isFound: marked !== undefined };
}

function isMarked({ mark }: AiClient, file: string, home: string): boolean {
  if (mark !== undefined) return existsSync(join(dirname(file), mark));
  return dirname(file) !== home && existsSync(dirname(file));
}

/** Some programs honour XDG_CONFIG_HOME and some look below the home directory whatever it says. */
function listBases(base: PathBase, { config, home }: UserDirectories, platform: NodeJS.Platform): string[] {
  if (base === 'home') return [home];
  if (platform === 'win32') return [join(home, 'AppData', 'Roaming'), join(home, '.config')];
  if (platform === 'darwin' && base === 'applications') return [join(home, 'Library', 'Application Support')];
  return [dirname(config), join(home, '.config')];
}
