import { isatty } from 'node:tty';
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { BerthError } from '../../sources/errors.ts';
import { formatLine } from './format-line.ts';
import { redact, redactText } from './redact.ts';

/** What the rest of the server needs of a logger: fields first, then a sentence. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export interface LogOptions {
  /** `BERTH_LOG_LEVEL`; `info` when absent. */
  readonly level?: string | undefined;
  /** Where lines go; standard error when absent. */
  readonly output?: DestinationStream;
  /** Text for people instead of JSON; by default when standard error is a terminal. */
  readonly pretty?: boolean;
}

/**
 * The log of the process: one JSON object a line on standard error, at a terminal one line of text. Secrets never pass:
 * fields are redacted by key, and the finished line once more by pattern (messages and stacks included).
 * @throws BerthError `log_level_invalid`
 */
export function createLog(options: LogOptions = {}): Logger {
  const level = options.level?.toLowerCase() || 'info';
  if (!LEVELS.includes(level)) {
    throw new BerthError('log_level_invalid', `Unknown log level "${level}".`, {
      at: { flag: 'BERTH_LOG_LEVEL' },
      fix: `Use one of ${LEVELS.join(', ')}.`,
    });
  }
  // Written at once, so that the last words before a crash are not lost.
  const output = options.output ?? destination({ dest: 2, sync: true });
  const pretty = options.pretty ?? (options.output === undefined && isatty(2));
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) =>
          Object.fromEntries(Object.entries(fields).map(([key, value]) => redactField(key, value))),
      },
      // Errors are described above; the default would run over what came of them.
      serializers: { err: (described: unknown) => described },
      hooks: { streamWrite: redactText },
    },
    pretty ? { write: (line) => output.write(formatLine(line)) } : output,
  );
}

function redactField(key: string, value: unknown): [string, unknown] {
  if (value instanceof Error) return [key, describeError(value)];
  const pair: unknown = redact({ [key]: value });
  return [key, pair !== null && typeof pair === 'object' ? Object.values(pair)[0] : undefined];
}

/** An error we raised needs no stack; one we did not expect is worth nothing without. */
function describeError(error: Error): Record<string, unknown> {
  const cause = error.cause instanceof Error ? { cause: describeError(error.cause) } : {};
  if (error instanceof BerthError) return { code: error.code, message: error.describe(), ...cause };
  return { type: error.name, message: error.message, stack: error.stack, ...cause };
}
