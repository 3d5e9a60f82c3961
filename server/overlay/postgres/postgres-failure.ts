import pg from 'pg';
import { HttpError } from '../../http/problem.ts';
import { storeUnavailable } from '../store-unavailable.ts';

/** There was no connection, or it broke. */
export class ConnectionFailure extends Error {
  /** Whether a statement had been sent: it may have been carried out. */
  readonly sent: boolean;

  constructor(sent: boolean, cause: unknown) {
    super(sent ? 'the connection to the database broke' : 'the database cannot be reached', { cause });
    this.name = 'ConnectionFailure';
    this.sent = sent;
  }
}

/** SQLSTATE classes of mistakes in a statement or its values: another try gives the same. */
const OWN_MISTAKES = ['0A', '22', '23', '42', '54'];
/** Of those: no permission, and tables that are gone or older. What mends them happens in the database. */
const NOT_OURS = ['42501', '42P01', '42703'];
const TRY_AGAIN = ['40001', '40P01'];
/** The session was ended from outside, perhaps between the commit and the answer. */
const SESSION_ENDED = ['57P01', '57P02', '57P05'];

const DETAILS: Readonly<Record<string, string>> = {
  '25006': 'The database takes no writes now.',
  '53100': 'The database is full.',
  '53300': 'The database has too many connections.',
  '57014': 'The database took too long.',
};

/** The SQLSTATE of anything thrown by a statement; empty when it carries none. */
export function sqlState(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : '';
}

/** Whether the transaction lost against another one and may simply be done again. */
export function isSerializationFailure(error: unknown): boolean {
  return TRY_AGAIN.includes(sqlState(error));
}

/** Whether the session writes nothing: it may be one from before a fail-over, and a new one may reach the new primary. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === '25006';
}

/** Whether nobody can say if the change was made. */
export function isDoubtful(error: unknown): boolean {
  if (error instanceof ConnectionFailure) return error.sent;
  return SESSION_ENDED.includes(sqlState(error));
}

/**
 * What a failed call means: HttpError 503 `store_unavailable` when the database is away, refuses, is full, read-only or
 * too slow (contract 12.16), the error itself when it is a mistake of ours. No secret: a message of the database never
 * quotes a password, and the client is told none of it.
 */
export function readPostgresFailure(error: unknown): unknown {
  if (isDoubtful(error)) return changeInDoubt(error);
  if (error instanceof ConnectionFailure) {
    const detail = DETAILS[sqlState(error.cause)] ?? 'The database cannot be reached.';
    return storeUnavailable(detail, error);
  }
  const state = sqlState(error);
  if (state === '') return error;
  if (OWN_MISTAKES.includes(state.slice(0, 2)) && !NOT_OURS.includes(state)) return error;
  return storeUnavailable(DETAILS[state] ?? 'The database cannot be used now.', error);
}

function changeInDoubt(cause: unknown): HttpError {
  const { status, code, headers } = storeUnavailable('', cause);
  return new HttpError(
    status,
    code,
    'The connection to the database broke. If something was to be changed, look whether it was once the store is back.',
    { headers: { ...headers }, cause },
  );
}
