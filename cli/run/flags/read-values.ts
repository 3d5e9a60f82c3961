import { isIP } from 'node:net';
import { parseDuration } from '../../../sources/config/duration.ts';
import { suggestName } from '../../../sources/config/nearest-name.ts';
import type { GivenSwitch } from '../options/option-kinds.ts';
import { refuseFlag } from './flag-error.ts';

const TRUE = ['1', 't', 'true'];
const FALSE = ['0', 'f', 'false'];

/** A switch; undefined when it was not given. @throws UsageError */
export function readSwitch(flag: string, given: GivenSwitch | undefined): boolean | undefined {
  if (given === undefined || typeof given === 'boolean') return given;
  const word = given.toLowerCase();
  if (TRUE.includes(word)) return true;
  if (FALSE.includes(word)) return false;
  throw refuseFlag(flag, `"${given}" is neither true nor false.`);
}

/** Some text, not empty; undefined when it was not given. @throws UsageError */
export function readText(flag: string, given: string | undefined): string | undefined {
  if (given === undefined || given.trim() !== '') return given;
  throw refuseFlag(flag, 'The value is empty.');
}

/** One of some words. @throws UsageError */
export function readWord<Word extends string>(
  flag: string,
  given: string | undefined,
  words: readonly Word[],
): Word | undefined {
  if (given === undefined) return undefined;
  const word = words.find((known) => known === given);
  if (word !== undefined) return word;
  throw refuseFlag(
    flag,
    `"${given}" is not possible.`,
    suggestName(given, words) ?? `Use ${words.join(', ')}.`,
  );
}

/** A port from 1 to 65535. @throws UsageError */
export function readPort(flag: string, given: string | undefined): number | undefined {
  return readWhole(flag, given, 1, 65_535, 'a port');
}

/** A whole number of a range. @throws UsageError */
export function readWhole(
  flag: string,
  given: string | undefined,
  least: number,
  most: number,
  what: string,
): number | undefined {
  if (given === undefined) return undefined;
  const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw refuseFlag(flag, `"${given}" is not ${what}.`, `Give a whole number from ${least} to ${most}.`);
}

/** A duration of Go, as whole milliseconds. @param least in milliseconds @throws UsageError */
export function readDuration(flag: string, given: string | undefined, least = 1): number | undefined {
  if (given === undefined) return undefined;
  const ms = given === '0' ? 0 : parseDuration(given);
  if (ms !== undefined && Number.isFinite(ms) && ms >= least && ms <= Number.MAX_SAFE_INTEGER) {
    return Math.round(ms);
  }
  throw refuseFlag(
    flag,
    ms === undefined ? `"${given}" is not a duration.` : `"${given}" is not a possible duration here.`,
    'Write it like 30s, 5m or 1h30m.',
  );
}

/** A list whose items may also be separated by commas; blanks around them are no matter. @throws UsageError */
export function readList(flag: string, given: readonly string[] | undefined): string[] | undefined {
  if (given === undefined) return undefined;
  const items = given.flatMap((text) => text.split(',')).map((item) => item.trim());
  if (items.includes('')) throw refuseFlag(flag, 'An item of the list is empty.');
  return [...new Set(items)];
}

/** `key=value` pairs, the last of a key wins. @throws UsageError */
export function readPairs(
  flag: string,
  given: readonly string[] | undefined,
  form: string,
): Record<string, string> | undefined {
  if (given === undefined) return undefined;
  return Object.fromEntries(given.map((text) => readPair(flag, text, form)));
}

/** @param form how such a pair is written, such as `KEY=VALUE` @throws UsageError */
export function readPair(flag: string, given: string, form: string): [key: string, value: string] {
  const at = given.indexOf('=');
  if (at < 1) throw refuseFlag(flag, `"${given}" is not of the form ${form}.`);
  return [given.slice(0, at), given.slice(at + 1)];
}

/** An absolute http or https URL without credentials, exactly as given. @throws UsageError */
export function readUrl(flag: string, given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refuseFlag(flag, `"${given}" is not an http or https URL.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw refuseFlag(flag, 'The URL holds a user name or password.', 'Give credentials by their own flags.');
  }
  return given;
}

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const HOST_NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*\\.?$`, 'i');

/** An IP address, in brackets or not, or a host name. @throws UsageError */
export function readHost(flag: string, given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const bare = /^\[.*\]$/.test(given) ? given.slice(1, -1) : given;
  if (isIP(bare) !== 0) return bare;
  const looksNumeric = /^[\d.]+$/.test(given);
  if (!looksNumeric && given.length <= 253 && HOST_NAME.test(given)) return given;
  throw refuseFlag(flag, `"${given}" is neither an IP address nor a host name.`);
}
