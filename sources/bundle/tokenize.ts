const WORD = /[\p{L}\p{N}]+/gu;
const CAMEL = /[a-z0-9][A-Z]/;
const CAMEL_SPLIT = /(?<=[a-z0-9])(?=[A-Z])/;

/** Words of a text for searching: runs of letters and digits in lower case; camelCase words also by their parts. */
export function tokenize(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.normalize('NFKC').matchAll(WORD)) {
    words.push(word.toLowerCase());
    if (CAMEL.test(word)) for (const part of word.split(CAMEL_SPLIT)) words.push(part.toLowerCase());
  }
  return words;
}

/** Words of a query: as for a text, but camelCase words whole and at most 12 of them. */
export function tokenizeQuery(query: string): string[] {
  const words = Array.from(query.normalize('NFKC').matchAll(WORD), ([word]) => word.toLowerCase());
  return [...new Set(words)].slice(0, 12);
}
