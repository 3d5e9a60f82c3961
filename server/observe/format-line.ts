import pc from 'picocolors';

const LEVELS: Readonly<Record<string, string>> = {
  trace: pc.gray('TRACE'),
  debug: pc.gray('DEBUG'),
  info: pc.green('INFO '),
  warn: pc.yellow('WARN '),
  error: pc.red('ERROR'),
  fatal: pc.red('FATAL'),
};

/** One JSON log line as a person at a terminal reads it: `12:00:00.000 INFO  message key=value`. */
export function formatLine(line: string): string {
  const { level, time, msg, ...fields }: Record<string, unknown> = JSON.parse(line);
  const clock = String(time).slice(11, 23);
  const details = Object.entries(fields).map(
    ([key, value]) => pc.gray(`${key}=`) + (typeof value === 'string' ? value : JSON.stringify(value)),
  );
  return `${[pc.gray(clock), LEVELS[String(level)] ?? String(level), String(msg ?? ''), ...details].join(' ')}\n`;
}
