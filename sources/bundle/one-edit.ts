/**
 * Texts one edit away from `word` (a letter missing, one too many, one wrong, two swapped), tried against a dictionary.
 * @param alphabet the characters that may be inserted
 * @param visit called for each candidate; may see one twice
 */
export function visitOneEdit(
  word: string,
  alphabet: readonly string[],
  visit: (candidate: string) => void,
): void {
  for (let at = 0; at <= word.length; at++) {
    const head = word.slice(0, at);
    const tail = word.slice(at);
    const rest = tail.slice(1);
    if (tail) visit(head + rest);
    if (tail.length > 1) visit(head + tail.charAt(1) + tail.charAt(0) + tail.slice(2));
    for (const letter of alphabet) {
      visit(head + letter + tail);
      if (tail) visit(head + letter + rest);
    }
  }
}
