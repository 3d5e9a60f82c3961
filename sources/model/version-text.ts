import { limitedText } from './limited-text.ts';

const RANGE = /^[\^~<>=]|\|\||\s-\s|^[vV]?(?:\d+\.)*[xX*](?:\.[xX*\d]+)*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNPRINTABLE = /[\u0000-\u001f\u007f]/;

/** One exact version: 1-255 characters, not `latest`, no range such as `^1.2`, `1.x` or `1 - 2`. */
export const versionTextSchema = limitedText(1, 255)
  .refine((text) => text !== 'latest', 'must not be `latest`; name one version')
  .refine((text) => !RANGE.test(text), 'must be one version, not a range')
  .refine((text) => !UNPRINTABLE.test(text), 'must not hold control characters');
