import { readdir } from 'node:fs/promises';
import { sep } from 'node:path';
import { BerthError } from '../../../sources/errors.ts';
import { MARKER, unwritable } from './export-folder.ts';

/**
 * Refuses to replace what is no export.
 * @param target absolute
 * @param kept absolute paths that must not be replaced, such as the configuration
 * @param force replaces any folder that holds none of these
 * @throws BerthError `export_refused`
 */
export async function checkTarget(target: string, kept: readonly string[], force: boolean): Promise<void> {
  const refuse = (why: string, fix: string) => new BerthError('export_refused', `${target} ${why}`, { fix });
  const held = kept.find(
    (path) => path === target || path.startsWith(target.endsWith(sep) ? target : `${target}${sep}`),
  );
  if (held !== undefined)
    throw refuse(
      `holds ${held}, and an export replaces all of its folder.`,
      'Export to a folder of its own.',
    );
  const names = await readdir(target).catch((error: unknown): string[] => {
    const code: unknown = Reflect.get(Object(error), 'code');
    if (code === 'ENOENT') return [];
    if (code === 'ENOTDIR') throw refuse('is a file.', 'Name a folder.');
    throw unwritable(target, error);
  });
  if (names.includes('.git'))
    throw refuse('is a git checkout.', 'Export to a folder of its own and copy that into the checkout.');
  if (names.length === 0 || names.includes(MARKER) || force) return;
  throw refuse(
    'holds files that no export made.',
    'Export to an empty folder, or give --force to replace all of it.',
  );
}
