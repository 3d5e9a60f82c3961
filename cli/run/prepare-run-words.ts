/** Short options that take a value. */
const SHORT_WITH_VALUE = 'eplv';
/** Short options that take none, which may stand before others: `-fe A=1`. */
const SHORT_SWITCHES = 'f';

/**
 * Turns the words of `berth run` into ones the parser understands: a value glued to its short option (`-eA=1`) is
 * taken off, and every word after the first `--` becomes `--server-argument=WORD`, so that it stays apart from the
 * words before.
 */
export function prepareRunWords(words: readonly string[]): string[] {
  const end = words.indexOf('--');
  const own = end < 0 ? words : words.slice(0, end);
  const passed = end < 0 ? [] : words.slice(end + 1);
  return [...own.flatMap(unglue), ...passed.map((word) => `--server-argument=${word}`)];
}

function unglue(word: string): string[] {
  if (!/^-[a-z]./i.test(word)) return [word];
  const name = word.charAt(1);
  const rest = word.slice(2);
  if (SHORT_WITH_VALUE.includes(name) && !rest.startsWith('=')) return [`-${name}=${rest}`];
  if (SHORT_SWITCHES.includes(name) && /^[a-z]/i.test(rest)) return [`-${name}`, ...unglue(`-${rest}`)];
  return [word];
}
