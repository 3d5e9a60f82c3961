/** The cluster does not remember the place a list or watch is to go on from (410 Gone): list again. */
export class ExpiredError extends Error {
  override readonly name = 'ExpiredError';
}
