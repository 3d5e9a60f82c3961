import type { Exchange } from '../exchange.ts';
import { listElements } from '../json/list-elements.ts';
import { splice } from '../json/splice.ts';

type Readers = Pick<Exchange, 'answerFilters' | 'answerObservers'>;

/**
 * Leads one message of an answer through the filters, in order, and shows what came out to the observers. The messages
 * of a batch are taken one by one.
 *
 * @returns the same buffer when nothing changed
 */
export async function filterMessage(
  message: Buffer,
  { answerFilters, answerObservers }: Readers,
): Promise<Buffer> {
  let filtered = message;
  for (const filter of answerFilters) filtered = await filter(filtered);
  for (const observe of answerObservers) observe(filtered);
  return filtered;
}

/** The same for a whole JSON body, which may be a batch. */
export async function filterBody(body: Buffer, readers: Readers): Promise<Buffer> {
  if (!/^\s*\[/.test(body.subarray(0, 64).toString('latin1'))) return filterMessage(body, readers);
  const spans = listElements(body, { start: 0, end: body.length });
  if (spans.length === 0) return filterMessage(body, readers);
  const edits: { start: number; end: number; text: Buffer }[] = [];
  for (const { start, end } of spans) {
    const message = body.subarray(start, end);
    const filtered = await filterMessage(message, readers);
    if (filtered !== message) edits.push({ start, end, text: filtered });
  }
  return edits.length === 0 ? body : splice(body, edits);
}
