import { BerthError } from '../../errors.ts';
import type { Fetched, SkippedFile } from '../fetched.ts';
import { joinShown } from '../locate-path.ts';
import { isSafeInnerPath, isSkippedDirectory, selectCatalogFiles } from '../select-catalog-files.ts';
import { checkFileCount } from '../source-bounds.ts';
import type { Tree, TreeEntry } from './list-tree.ts';

const link = '120000';

export interface ChosenEntries {
  readonly layout: Fetched['layout'];
  /** With their shown paths, in order. */
  readonly entries: readonly TreeEntry[];
  readonly skipped: readonly SkippedFile[];
}

/**
 * The entries of a tree a catalog is read from. Links are not followed: git keeps their target as text only.
 *
 * @param inner path of the source inside the repository
 * @param subject the repository and its reference, in words
 * @throws BerthError `source_git_path_missing`, `source_too_large`
 */
export function chooseEntries(tree: Tree, inner: string, subject: string): ChosenEntries {
  if (tree.kind === 'missing' || (tree.kind === 'file' && tree.entry.mode === link)) {
    const what = tree.kind === 'missing' ? 'There is no' : 'There is only a symbolic link';
    throw new BerthError('source_git_path_missing', `${what} ${inner} in ${subject}.`, {
      at: { file: inner },
      fix: 'Correct `path`, or commit the file and push it.',
    });
  }
  if (tree.kind === 'file') return { layout: 'file', entries: [{ ...tree.entry, path: inner }], skipped: [] };
  const safe = new Map(
    tree.entries.filter(({ path }) => isEntered(path)).map((entry) => [entry.path, entry]),
  );
  const entries: TreeEntry[] = [];
  const skipped: SkippedFile[] = [];
  for (const path of selectCatalogFiles([...safe.keys()])) {
    const entry = safe.get(path);
    if (entry === undefined || entry.mode === '160000') continue;
    const shown = joinShown(inner, path);
    if (entry.mode === link) skipped.push({ path: shown, reason: 'The file is a symbolic link.' });
    else entries.push({ ...entry, path: shown });
  }
  checkFileCount(entries.length, inner === '' ? '.' : inner);
  return { layout: 'directory', entries, skipped };
}

function isEntered(path: string): boolean {
  return isSafeInnerPath(path) && !path.split('/').slice(0, -1).some(isSkippedDirectory);
}
