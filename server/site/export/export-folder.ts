import { chmod, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { BerthError, messageOf } from '../../../sources/errors.ts';

/** Says that a folder was made by an export, and may be replaced by the next one. */
export const MARKER = '.berth-export';
const MARKER_TEXT = 'Made by `berth site export`. The next export replaces this folder.\n';

/** Files written at once: enough to keep the disk busy while pages are rendered, few enough to hold in memory. */
const MOST_UNDERWAY = 32;

/** A folder in the making, beside the one it will replace. */
export class ExportFolder {
  readonly #staging: string;
  readonly #target: string;
  readonly #folders = new Map<string, Promise<unknown>>();
  readonly #underway = new Set<Promise<void>>();
  #failure: unknown;
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
   * Adds a file; returns before it is on the disk, while few enough are on their way.
   * @param path root-relative; one that ends in `/` is the page of that folder
   * @throws BerthError what became of a file before it: `export_unwritable`, or `export_name_taken` for a second one at
   *   the same path, which on some systems differs in case only
   */
  async write(path: string, content: string | Uint8Array): Promise<void> {
    while (this.#underway.size >= MOST_UNDERWAY) await Promise.race(this.#underway);
    this.#refuseFailure();
    const writing = this.#writeFile(path, content)
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => this.#underway.delete(writing));
    this.#underway.add(writing);
  }

  /** Puts what was written in the place of what was there. */
  async finish(): Promise<void> {
    const before = `${this.#staging}-before`;
    await Promise.all(this.#underway);
    this.#refuseFailure();
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
    await Promise.all(this.#underway);
    await rm(this.#staging, { recursive: true, force: true });
  }

  async #writeFile(path: string, content: string | Uint8Array): Promise<void> {
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

  #refuseFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #makeFolder(path: string): Promise<unknown> {
    const known = this.#folders.get(path) ?? mkdir(path, { recursive: true });
    this.#folders.set(path, known);
    return known;
  }
}

/** An error of the file system, told as one of the export. */
export function unwritable(target: string, error: unknown): BerthError {
  if (error instanceof BerthError) return error;
  return new BerthError('export_unwritable', `${target} cannot be written: ${messageOf(error)}`, {
    cause: error,
  });
}
