const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A day in UTC, such as `3 Mar 2026`: the same for every reader and every rendering. */
export function writeDay(time: number): string {
  const date = new Date(time);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** A minute in UTC, such as `3 Mar 2026, 14:05 UTC`. */
export function writeMinute(time: number): string {
  return `${writeDay(time)}, ${new Date(time).toISOString().slice(11, 16)} UTC`;
}

/** For `<time datetime>`. */
export function writeDateTime(time: number): string {
  return new Date(time).toISOString();
}
