/** What is wrong with a glob pattern of a filter, or undefined when it can match something. */
export function findGlobFault(pattern: string): string | undefined {
  if (pattern.trim() === '') return 'is empty and matches nothing';
  let braces = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') {
      if (++at >= pattern.length) return 'ends in a backslash that escapes nothing';
    } else if (character === '[') {
      const end = findClassEnd(pattern, at);
      if (end === undefined) return 'has a "[" without its "]"';
      at = end;
    } else if (character === '{') {
      braces++;
    } else if (character === '}') {
      if (--braces < 0) return 'has a "}" without its "{"';
    }
  }
  return braces > 0 ? 'has a "{" without its "}"' : undefined;
}

/** The place of the `]` that ends a class; one that stands first in the class is a plain character. */
function findClassEnd(pattern: string, open: number): number | undefined {
  const negated = pattern[open + 1] === '!' || pattern[open + 1] === '^';
  for (let at = open + (negated ? 3 : 2); at < pattern.length; at++) {
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === ']') return at;
  }
  return undefined;
}
