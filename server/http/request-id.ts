import { randomBytes } from 'node:crypto';

const VISIBLE = /^[\x21-\x7e]{1,128}$/;

/** Tells processes apart; a counter tells the requests of one. On the hot path that costs a tenth of a random id. */
const PROCESS = randomBytes(8).toString('hex');
let made = 0;

function nextId(): string {
  made += 1;
  return `${PROCESS}-${made.toString(36)}`;
}

/**
 * The id a request is answered and logged under (contract 9): the caller's own when it is 1 to 128 visible ASCII
 * characters, else a new one.
 * @param presented the `X-Request-Id` header as received
 * @param newId makes an id; replaced in tests
 */
export function chooseRequestId(presented: string | undefined, newId: () => string = nextId): string {
  return presented !== undefined && VISIBLE.test(presented) ? presented : newId();
}
