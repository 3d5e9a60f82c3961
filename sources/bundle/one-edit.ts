const MAX_REMEMBERED = 16;
const remembered = new Map<string, ReadonlySet<string>>();

/**
 * Texts one edit away from `word` (a letter missing, one too many, one wrong, two swapped), to be looked up in a
 * dictionary. Remembered for the words asked for last: a search asks every source of a registry for the same ones.
 * @param alphabet the characters that may be inserted
 */
export function listOneEdits(word: string, alphabet: string): ReadonlySet<string> {
  const key = `${word}\n${alphabet}`;
  const known = remembered.get(key);
  if (known) return known;
  const edits = makeOneEdits(word, alphabet);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(key, edits);
  return edits;
}

function makeOneEdits(word: string, alphabet: string): ReadonlySet<string> {
  const letters = [...alphabet];
  const edits = new Set<string>();
  for (let at = 0; at <= word.length; at++) {
    const head = word.slice(0, at);
    const tail = word.slice(at);
    const rest = tail.slice(1);
    if (tail) edits.add(head + rest);
    if (tail.length > 1) edits.add(head + tail.charAt(1) + tail.charAt(0) + tail.slice(2));
    for (const letter of letters) {
      edits.add(head + letter + tail);
      if (tail) edits.add(head + letter + rest);
    }
  }
  return edits;
}
