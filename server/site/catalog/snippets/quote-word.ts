const PLAIN = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;

/**
 * What a reader does not see, or a terminal takes for a key (control and format characters, line and paragraph ends), and
 * the quotes that PowerShell takes for `'`.
 */
const UNFIT = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2018-\u201f]/u;

/** Whether a text may stand in a command to copy; what is not fit would make it do something else than it seems to. */
export function isFitToCopy(text: string): boolean {
  return !UNFIT.test(text);
}

/**
 * A word as a shell reads it back unchanged. Entries may hold anything, so this has to hold for whichever shell it is
 * pasted into: backslashes and single quotes go into double quotes, because fish reads them otherwise within single ones.
 */
export function quoteWord(word: string): string {
  if (PLAIN.test(word)) return word;
  const runs = word.match(/[^'\\]+|['\\]/g) ?? [''];
  return runs.map((run) => (run === "'" ? `"'"` : run === '\\' ? '"\\\\"' : `'${run}'`)).join('');
}
