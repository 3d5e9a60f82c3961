import type { RawFile } from '../kinds/fetched.ts';
import type { SkillFile } from '../model/entry.ts';

/** A directory with a SKILL.md. */
export interface SkillDirectory {
  /** The directory's path with `/` at its end; empty for the top of the tree. */
  readonly path: string;
  /** Its own name; undefined for the top of the tree, whose name is not known. */
  readonly name: string | undefined;
  readonly markdown: RawFile;
  /** SKILL.md first, then the others by path; files of a skill further down are not among them. */
  readonly files: readonly SkillFile[];
}

const MARKDOWN = 'SKILL.md';

/** Whether a path is that of a SKILL.md. */
export function isSkillMarkdown(path: string): boolean {
  return path === MARKDOWN || path.endsWith(`/${MARKDOWN}`);
}

/** The skills of a tree and, for each file, whether it belongs to one of them below the top. */
export function findSkillDirectories(files: readonly RawFile[]): readonly SkillDirectory[] {
  const markdowns = new Map(
    files
      .filter((file) => isSkillMarkdown(file.path))
      .map((file) => [file.path.slice(0, -MARKDOWN.length), file] as const),
  );
  const members = new Map<string, RawFile[]>();
  for (const file of files) {
    const home = nearest(file.path, markdowns);
    if (home === undefined) continue;
    const list = members.get(home) ?? [];
    list.push(file);
    members.set(home, list);
  }
  return [...markdowns].map(([path, markdown]) => ({
    path,
    name: path === '' ? undefined : path.slice(0, -1).split('/').at(-1),
    markdown,
    files: orderFiles(members.get(path) ?? [markdown], path),
  }));
}

/** The deepest directory with a SKILL.md that the file is in. */
function nearest(path: string, directories: ReadonlyMap<string, unknown>): string | undefined {
  for (let end = path.lastIndexOf('/'); end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
    const directory = path.slice(0, end + 1);
    if (directories.has(directory)) return directory;
  }
  return directories.has('') ? '' : undefined;
}

function orderFiles(files: readonly RawFile[], directory: string): readonly SkillFile[] {
  return files
    .map((file) => ({ path: file.path.slice(directory.length), bytes: file.bytes }))
    .sort((a, b) => rank(a.path) - rank(b.path) || (a.path < b.path ? -1 : 1));
}

function rank(path: string): number {
  return path === MARKDOWN ? 0 : 1;
}
