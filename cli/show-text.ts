// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text from elsewhere as one line that cannot steer a terminal: control characters become blanks. */
export function showText(text: string): string {
  return text.replace(CONTROLS, ' ');
}
