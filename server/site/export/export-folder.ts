import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { BerthError, messageOf } from '../../../sources/errors.ts';

/** Says that a folder was made by an export, and may be replaced by the next one. */
export const MARKER = '.berth-export';
const MARKER_TEXT = 'Made by `berth site export`. The next export replaces this folder.\n';

/** A folder in the making, beside the one it will replace. */
export class ExportFolder {
  readonly #staging: string;
  readonly #target: string;
  readonly #folders = new Map<string, Promise<unknown>>();
  files = 0;
  bytes = 0;

  private constructor(staging: string, target: string) {
    this.#staging = staging;
    this.#target = target;
  }

  /**
   * @param target absolute; need not exist
   * @throws BerthError `export_unwritable`
   */
  static async begin(target: string): Promise<ExportFolder> {
    try {
      await mkdir(dirname(target), { recursive: true });
      const staging = await mkdtemp(join(dirname(target), `.${basename(target)}.new-`));
      const folder = new ExportFolder(staging, target);
      await folder.write(`/${MARKER}`, MARKER_TEXT);
      return folder;
    } catch (error) {
      throw unwritable(target, error);
    }
  }

  /**
   * Adds a file.
   * @param path root-relative; one that ends in `/` is the page of that folder
   * @throws BerthError `export_name_taken` when there is one already, which on some systems differs in case only
   */
  async write(path: string, content: string | Uint8Array): Promise<void> {
    const name = path.endsWith('/') ? `${path}index.html` : path;
    const file = join(this.#staging, ...name.split('/'));
    if (!file.startsWith(`${this.#staging}${sep}`))
      throw new BerthError('export_unwritable', `The path ${path} leads out of the export.`);
    try {
      await this.#makeFolder(dirname(file));
      await writeFile(file, content, { flag: 'wx' });
    } catch (error) {
      if (Reflect.get(Object(error), 'code') !== 'EEXIST') throw unwritable(this.#target, error);
      throw new BerthError('export_name_taken', `Two pages would be written to ${path}.`, {
        fix: 'Export to a file system that tells upper from lower case.',
        cause: error,
      });
    }
    this.files++;
    this.bytes += Buffer.byteLength(content);
  }

  /** Puts what was written in the place of what was there. */
  async finish(): Promise<void> {
    const before = `${this.#staging}-before`;
    try {
      // It was made private; what is published is for whoever the umask lets read.
      await chmod(this.#staging, 0o777 & ~process.umask());
      const replaces = await stat(this.#target).then(
        () => true,
        () => false,
      );
      if (replaces) await rename(this.#target, before);
      try {
        await rename(this.#staging, this.#target);
      } catch (error) {
        if (replaces) await rename(before, this.#target);
        throw error;
      }
      await rm(before, { recursive: true, force: true });
    } catch (error) {
      throw unwritable(this.#target, error);
    }
  }

  /** Takes back what was written. */
  async discard(): Promise<void> {
    await rm(this.#staging, { recursive: true, force: true });
  }

  #makeFolder(path: string): Promise<unknown> {
    const known = this.#folders.get(path) ?? mkdir(path, { recursive: true });
    this.#folders.set(path, known);
    return known;
  }
}

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

function unwritable(target: string, error: unknown): BerthError {
  if (error instanceof BerthError) return error;
  return new BerthError('export_unwritable', `${target} cannot be written: ${messageOf(error)}`, {
    cause: error,
  });
}
