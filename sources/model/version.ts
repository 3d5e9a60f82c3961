import semver from 'semver';

/** A version taken apart for comparing; `parsed` is undefined for text that is no semantic version. */
export interface OrderedVersion {
  readonly text: string;
  readonly parsed: semver.SemVer | undefined;
}

const LENIENT =
  /^[vV]?(0|[1-9]\d*)(?:\.(0|[1-9]\d*))?(?:\.(0|[1-9]\d*))?(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;

/**
 * Reads a version text. A leading `v` and one or two missing parts are accepted (`v1`, `1.2`), leading zeros are not.
 * A date such as `2025-08-21` is no version: a pre-release needs all three parts before it.
 */
export function readVersion(text: string): OrderedVersion {
  const match = LENIENT.exec(text);
  if (!match || (match[4] !== undefined && match[3] === undefined)) return { text, parsed: undefined };
  const [, major, minor, patch, pre, build] = match;
  const full = `${major}.${minor ?? '0'}.${patch ?? '0'}${pre ?? ''}${build ?? ''}`;
  return { text, parsed: semver.parse(full) ?? undefined };
}

/**
 * Orders versions newest first (contract 5): semantic-version precedence; unparseable ones below parseable ones, among
 * themselves by text, last first. Versions of equal precedence are ordered by text so that the order is total.
 */
export function compareNewestFirst(a: OrderedVersion, b: OrderedVersion): number {
  if (a.parsed && b.parsed) {
    const order = semver.compare(b.parsed, a.parsed);
    if (order !== 0) return order;
  } else if (a.parsed || b.parsed) {
    return a.parsed ? -1 : 1;
  }
  return a.text < b.text ? 1 : a.text > b.text ? -1 : 0;
}

/**
 * The index of the latest of versions that are in order, newest first: the highest stable one, else the highest
 * pre-release, else the last by text (contract 5). -1 for an empty list.
 */
export function findLatest(versions: readonly OrderedVersion[]): number {
  const stable = versions.findIndex((version) => version.parsed && version.parsed.prerelease.length === 0);
  return stable >= 0 ? stable : versions.length > 0 ? 0 : -1;
}
