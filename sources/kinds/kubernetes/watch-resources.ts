import type { ClusterConnection } from './cluster-connection.ts';
import { explainStatus, refuseAnswer, type Subject } from './cluster-errors.ts';
import { type WatchEvent, watchEventSchema } from './custom-resource.ts';
import { ExpiredError } from './expired.ts';
import { explainAnswer } from './read-answer.ts';
import { readLines } from './read-lines.ts';
import { describeScope, pathOf, type ResourceScope } from './watched-resource.ts';

export type ResourceEvent = Exclude<WatchEvent, { type: 'ERROR' }>;

/** Seconds after which the API server ends a watch. Well below what proxies between allow. */
const WATCH_SECONDS = 240;
/** A living watch is silent at most until its end: bookmarks come about every minute. */
const SILENCE_MS = (WATCH_SECONDS + 30) * 1000;

/**
 * Opens a watch that tells what changed since `resourceVersion`, bookmarks included. It ends when the connection does,
 * however that happens, and can be taken up again from the last version that was seen.
 * @returns the events, once the cluster agreed to tell them
 * @throws ExpiredError at once or while reading; BerthError `source_kubernetes_*`
 */
export async function watchResources(
  connection: ClusterConnection,
  scope: ResourceScope,
  resourceVersion: string,
  signal: AbortSignal,
): Promise<AsyncGenerator<ResourceEvent>> {
  const query = new URLSearchParams({
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion,
    timeoutSeconds: String(WATCH_SECONDS),
  });
  const subject = { verb: 'watch', what: describeScope(scope) } as const;
  const answer = await connection.get(`${pathOf(scope)}?${query}`, signal, SILENCE_MS);
  // Not found: its definition was removed, which listing finds out.
  if (answer.status === 410 || answer.status === 404) {
    answer.body.destroy();
    throw new ExpiredError();
  }
  if (answer.status !== 200) throw await explainAnswer(answer, subject);
  return readEvents(untilBroken(answer.body), subject);
}

async function* readEvents(
  stream: AsyncIterable<Uint8Array>,
  subject: Subject,
): AsyncGenerator<ResourceEvent> {
  for await (const line of readLines(stream)) {
    const event = parseEvent(line, subject);
    if (event.type !== 'ERROR') {
      yield event;
      continue;
    }
    const { code = 500, message = '' } = event.object;
    throw code === 410 ? new ExpiredError() : explainStatus(code, subject, message);
  }
}

/** A connection that breaks is the end of the watch like any other. */
async function* untilBroken(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await chunks.next().catch(() => ({ done: true }) as const);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

function parseEvent(line: string, subject: Subject): WatchEvent {
  try {
    return watchEventSchema.parse(JSON.parse(line));
  } catch (cause) {
    throw refuseAnswer(subject, cause);
  }
}
