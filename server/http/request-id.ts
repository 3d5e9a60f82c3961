import { randomUUID } from 'node:crypto';

const VISIBLE = /^[\x21-\x7e]{1,128}$/;

/**
 * The id a request is answered and logged under (contract 9): the caller's own when it is 1 to 128 visible ASCII
 * characters, else a new one.
 * @param presented the `X-Request-Id` header as received
 * @param newId makes an id; replaced in tests
 */
export function chooseRequestId(presented: string | undefined, newId: () => string = randomUUID): string {
  return presented !== undefined && VISIBLE.test(presented) ? presented : newId();
}
