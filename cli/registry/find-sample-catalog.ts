import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BerthError } from '../../sources/errors.ts';

const SAMPLE = join('sources', 'samples', 'servers.json');

/** The catalog that comes with the program; the built command and the sources lie at different depths above it. */
export function findSampleCatalog(start: string = dirname(fileURLToPath(import.meta.url))): string {
  for (let directory = start; ; directory = dirname(directory)) {
    const file = join(directory, SAMPLE);
    if (existsSync(file)) return file;
    if (dirname(directory) === directory) {
      throw new BerthError(
        'registry_file_unreadable',
        'The sample catalog is missing from the installation.',
        {
          fix: 'Install berth again, or choose a registry with `berth registry set`.',
        },
      );
    }
  }
}
