import type { Reply } from './ask-registry.ts';

/** One thing that was tried in the role of a client. */
export interface Finding {
  readonly outcome: 'ok' | 'failed' | 'skipped';
  readonly what: string;
  /** What went wrong and what it means for the client, or why it was skipped. */
  readonly why?: string;
}

export interface ClientReport {
  readonly client: string;
  readonly findings: readonly Finding[];
}

const NO_TOKEN =
  'the registry wants a token, and the clients of today send none: list the path in auth.oauth.publicPaths, or try with --token';

/** Gathers findings in the role of one client. */
export class CheckUp {
  readonly client: string;
  readonly #findings: Finding[] = [];
  readonly #failed = new Set<string>();

  constructor(client: string) {
    this.client = client;
  }

  get report(): ClientReport {
    return { client: this.client, findings: this.#findings };
  }

  ok(what: string): void {
    this.#findings.push({ outcome: 'ok', what });
  }

  skip(what: string, why: string): void {
    this.#findings.push({ outcome: 'skipped', what, why });
  }

  /** The same failure on many pages or items is told once. */
  fail(what: string, why: string): false {
    if (!this.#failed.has(`${what}\n${why}`)) this.#findings.push({ outcome: 'failed', what, why });
    this.#failed.add(`${what}\n${why}`);
    return false;
  }

  check(passed: boolean, what: string, why: string): boolean {
    if (!passed) return this.fail(what, why);
    this.ok(what);
    return true;
  }

  /** Whether a reply has the status a client needs; told only when it has not. */
  expectStatus(reply: Reply, status: number, what: string, meaning: string): boolean {
    if (reply.status === status) return true;
    if (reply.status === 401) return this.fail(what, `${reply.target} answers 401: ${NO_TOKEN}`);
    return this.fail(what, `${reply.target} answers ${reply.status} instead of ${status}: ${meaning}`);
  }

  get hasFailed(): boolean {
    return this.#failed.size > 0;
  }
}
