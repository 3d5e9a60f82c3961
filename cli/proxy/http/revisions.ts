/** The first revision without sessions; revisions are dates, so they compare as text. */
export const STATELESS_SINCE = '2026-07-28';
/** The newest revision with sessions. */
export const NEWEST_WITH_SESSIONS = '2025-11-25';

/** The only revision in which a POST may hold several messages (contract 5). */
export function hasBatches(version: string | undefined): boolean {
  return version === '2025-03-26';
}

export function isStateless(version: string | undefined): boolean {
  return version !== undefined && /^\d{4}-\d\d-\d\d$/.test(version) && version >= STATELESS_SINCE;
}

/** Finds the revision a server agreed on in the bytes of its answer to `initialize`, without reading all of it. */
export function spotVersion(text: string): string | undefined {
  return /"protocolVersion"\s*:\s*"(\d{4}-\d\d-\d\d)"/.exec(text)?.[1];
}
