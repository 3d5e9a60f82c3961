import type { GitRunner } from './run-git.ts';

/** One entry of a tree: a file or link below the path that was listed. */
export interface TreeEntry {
  /** Relative to the listed directory. */
  readonly path: string;
  readonly mode: string;
  /** Object id. */
  readonly id: string;
}

export type Tree =
  | { readonly kind: 'file'; readonly entry: TreeEntry }
  | { readonly kind: 'directory'; readonly entries: readonly TreeEntry[] }
  | { readonly kind: 'missing' };

/**
 * Lists what a commit holds at a path.
 *
 * @param inner path inside the repository, empty for its root
 */
export async function listTree(git: GitRunner, commit: string, inner: string): Promise<Tree> {
  if (inner === '')
    return { kind: 'directory', entries: parse(await git.run(['ls-tree', '-r', '-z', commit])) };
  const slash = inner.lastIndexOf('/');
  const parent = slash === -1 ? commit : `${commit}:${inner.slice(0, slash)}`;
  const siblings = await git.run(['ls-tree', '-z', parent]).catch((error: unknown) => {
    if (/not a valid object name|not a tree object|does not exist in/i.test(String(error))) return '';
    throw error;
  });
  const own = parse(siblings).find(({ path }) => path === inner.slice(slash + 1));
  if (!own || own.mode === '160000') return { kind: 'missing' };
  if (own.mode !== '040000') return { kind: 'file', entry: own };
  return { kind: 'directory', entries: parse(await git.run(['ls-tree', '-r', '-z', own.id])) };
}

function parse(listing: string): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (const line of listing.split('\0')) {
    const match = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line);
    const [, mode, id, path] = match ?? [];
    if (mode !== undefined && id !== undefined && path !== undefined) entries.push({ path, mode, id });
  }
  return entries;
}
