/** Least to most serious, as MCP has them. */
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

export function isLogLevel(level: string | undefined): level is string {
  return level !== undefined && LEVELS.includes(level);
}

/** Whether a message of `level` is wanted by who asked for `wanted`. Levels nobody knows are. */
export function reachesLevel(level: string, wanted: string): boolean {
  const at = LEVELS.indexOf(level);
  return at < 0 || at >= LEVELS.indexOf(wanted);
}

/** The level with the most messages; undefined for none. */
export function findMostVerbose(levels: Iterable<string | undefined>): string | undefined {
  let most: number | undefined;
  for (const level of levels) {
    const at = level === undefined ? -1 : LEVELS.indexOf(level);
    if (at >= 0 && (most === undefined || at < most)) most = at;
  }
  return most === undefined ? undefined : LEVELS[most];
}
