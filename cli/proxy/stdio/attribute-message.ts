import type { Call, Client } from './client.ts';
import type { Message } from './message.ts';

/** Longer requests are not compared: it would take too long for a guess. */
const MAX_COMPARED_BYTES = 65_536;
const MAX_STRINGS = 200;
const MIN_LENGTH = 3;

/**
 * Finds the call that caused a message of the server. Standard streams carry no relation, so with calls of several
 * clients under way the proxy looks for what a client sent in what the server says: a sampling request mostly quotes
 * the call's arguments. Without such evidence it is the most recent call, because servers ask early. Calls with the
 * same evidence are taken to be the same work: the server comes to the older one first, and to each of them as often.
 *
 * @param calls under way, oldest first
 * @param accepts which clients may get the message; evidence counts before it, recency after it
 * @param countCaused how many messages of this kind the call has caused so far
 */
export function attributeMessage(
  calls: readonly Call[],
  message: Message,
  accepts: (client: Client) => boolean,
  countCaused: (call: Call) => number = () => 0,
): Call | undefined {
  const latest = calls.at(-1);
  if (latest === undefined) return undefined;
  if (calls.every(({ client }) => client === latest.client))
    return accepts(latest.client) ? latest : undefined;
  const [first, ...others] = findQuoted(calls, message);
  if (first !== undefined) {
    const quoted = others.reduce(
      (best, call) => (countCaused(call) < countCaused(best) ? call : best),
      first,
    );
    return accepts(quoted.client) ? quoted : undefined;
  }
  return calls.findLast(({ client }) => accepts(client));
}

/** The calls with the most evidence, oldest first; none without any. */
function findQuoted(calls: readonly Call[], message: Message): Call[] {
  if (message.bytes.length > MAX_COMPARED_BYTES) return [];
  const said = message.bytes.toString();
  let best: Call[] = [];
  let bestScore = 0;
  for (const call of calls) {
    const score = scoreQuotes(call, said);
    if (score === 0 || score < bestScore) continue;
    if (score > bestScore) best = [];
    best.push(call);
    bestScore = score;
  }
  return best;
}

function scoreQuotes({ request }: Call, said: string): number {
  const span = request.span('params');
  if (span === undefined || span.end - span.start > MAX_COMPARED_BYTES) return 0;
  const strings = new Set<string>();
  collectStrings(request.read('params'), strings);
  let score = 0;
  for (const text of strings) {
    const quoted = JSON.stringify(text);
    if (text.length >= MIN_LENGTH && said.includes(quoted.slice(1, -1))) score += text.length;
    // A whole string is stronger evidence than a part of one, and the only evidence of a short one.
    if (said.includes(quoted)) score += quoted.length;
  }
  return score;
}

function collectStrings(value: unknown, into: Set<string>): void {
  const waiting = [value];
  while (waiting.length > 0 && into.size < MAX_STRINGS) {
    const next = waiting.pop();
    if (typeof next === 'string' && next !== '') into.add(next);
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, inner] of Object.entries(next)) if (key !== '_meta') waiting.push(inner);
  }
}
