const data = /\.(json|ya?ml)$/i;
const skillFile = 'SKILL.md';

/**
 * The files of a directory tree that a catalog is read from (contract 3, form 4): JSON and YAML files, every
 * SKILL.md, and everything below a directory that holds a SKILL.md.
 *
 * @param paths relative to the root of the tree, `/`-separated
 * @returns those that count, sorted by code unit
 */
export function selectCatalogFiles(paths: readonly string[]): string[] {
  const skills = listSkillDirectories(paths);
  return paths.filter((path) => isCatalogFile(path, skills)).sort();
}

/** Every directory (ending in `/`, empty for the root) that holds a SKILL.md. */
export function listSkillDirectories(paths: readonly string[]): ReadonlySet<string> {
  const ends = (path: string) => path === skillFile || path.endsWith(`/${skillFile}`);
  return new Set(paths.filter(ends).map((path) => path.slice(0, -skillFile.length)));
}

/** Whether a file counts, given the directories of skills. */
export function isCatalogFile(path: string, skills: ReadonlySet<string>): boolean {
  if (isBelowAny(path, skills)) return true;
  return data.test(path) && !path.slice(path.lastIndexOf('/') + 1).startsWith('.');
}

/** Whether one of the ancestors of `path` is among `directories`. */
export function isBelowAny(path: string, directories: ReadonlySet<string>): boolean {
  if (directories.size === 0) return false;
  if (directories.has('')) return true;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    if (directories.has(path.slice(0, at + 1))) return true;
  }
  return false;
}

/** Directories no catalog is looked for in: hidden ones (`.git` among them) and installed packages. */
export function isSkippedDirectory(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

/** Whether a path stays below its root and can be shown: no `..`, no empty or `.` part, no control character. */
export function isSafeInnerPath(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (path === '' || /[\u0000-\u001f\u007f\\]/.test(path)) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
