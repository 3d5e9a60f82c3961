/** Where a problem is: any of these may be absent when it is not known. Lines and columns count from 1. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly url?: string;
  readonly flag?: string;
}

export interface BerthErrorOptions {
  /** Where the thing at fault is. */
  readonly at?: Place;
  /** What to do about it, as one sentence. */
  readonly fix?: string;
  readonly cause?: unknown;
}

/**
 * The base of every error Berth raises on purpose. `code` is stable (lower case, underscores) and is what callers
 * switch on; the message is for people: what is wrong, where, and what to do.
 */
export class BerthError extends Error {
  readonly code: string;
  readonly at: Place | undefined;
  readonly fix: string | undefined;

  constructor(code: string, what: string, options: BerthErrorOptions = {}) {
    super(what, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'BerthError';
    this.code = code;
    this.at = options.at;
    this.fix = options.fix;
  }

  /** One line for a terminal or a log: `file:line:column: message. Fix.` */
  describe(): string {
    const place = formatPlace(this.at);
    const stop = this.fix && !/[.!?:;]$/.test(this.message) ? '.' : '';
    return `${place ? `${place}: ` : ''}${this.message}${stop}${this.fix ? ` ${this.fix}` : ''}`;
  }
}

/** `file:line:column`, the URL or the flag; empty when nothing is known. */
export function formatPlace(at: Place | undefined): string {
  if (!at) return '';
  if (at.file !== undefined) {
    return [at.file, at.line, at.column].filter((part) => part !== undefined).join(':');
  }
  return at.url ?? at.flag ?? '';
}

/** The message of anything thrown, without a stack. */
export function messageOf(error: unknown): string {
  if (error instanceof BerthError) return error.describe();
  return (error instanceof Error ? error.message : String(error)).trim();
}
