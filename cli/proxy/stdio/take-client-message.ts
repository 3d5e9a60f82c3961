import type { Client, Reply } from './client.ts';
import type { Hub } from './hub.ts';
import { isLogLevel } from './log-levels.ts';
import { formatResult, type Message } from './message.ts';

/** Takes a notification or an answer of a client. */
export function takeNotice(hub: Hub, client: Client, message: Message): void {
  if (message.kind === 'answer') {
    hub.answer(client, message);
    return;
  }
  switch (message.method) {
    // The proxy has initialised the server itself, once for all.
    case 'notifications/initialized':
      return;
    case 'notifications/cancelled':
      hub.cancel(client, message);
      return;
    case 'notifications/progress':
      hub.reportProgress(client, message);
      return;
    default:
      hub.notify(message.bytes);
      return;
  }
}

/** Takes a request of a client with a session. What the server was told already is answered without it. */
export function takeRequest(
  hub: Hub,
  client: Client & { logLevel: string | undefined },
  message: Message,
  reply: Reply,
): void {
  switch (message.method) {
    case 'resources/subscribe':
      subscribe(hub, client, message, reply);
      return;
    case 'resources/unsubscribe':
      unsubscribe(hub, client, message, reply);
      return;
    case 'logging/setLevel':
      setLevel(hub, client, message, reply);
      return;
    default:
      hub.call(client, message, reply);
  }
}

function subscribe(hub: Hub, client: Client, message: Message, reply: Reply): void {
  const uri = message.string('uri');
  if (uri === undefined) return void hub.call(client, message, reply);
  if (hub.subscriptions.isFirst(uri)) {
    hub.call(
      client,
      message,
      onResult(reply, () => hub.clients.has(client) && hub.subscriptions.add(client, uri)),
    );
    return;
  }
  hub.subscriptions.add(client, uri);
  answerEmpty(message, reply);
}

function unsubscribe(hub: Hub, client: Client, message: Message, reply: Reply): void {
  const uri = message.string('uri');
  const isMine = uri !== undefined && hub.subscriptions.isFollowing(client, uri);
  const isNobodys = uri === undefined || hub.subscriptions.isFirst(uri);
  if (isNobodys || (isMine && hub.subscriptions.remove(client, uri))) hub.call(client, message, reply);
  else answerEmpty(message, reply);
}

function setLevel(
  hub: Hub,
  client: Client & { logLevel: string | undefined },
  message: Message,
  reply: Reply,
): void {
  const level = message.string('level');
  if (!isLogLevel(level)) return void hub.call(client, message, reply);
  const remember = (): void => {
    client.logLevel = level;
    if (hub.clients.has(client)) hub.rememberLevel(client, level);
  };
  if (!hub.isNewLevel(client, level)) {
    remember();
    answerEmpty(message, reply);
    return;
  }
  const chosen = hub.chooseLevel(client, level);
  hub.call(client, message.with({ level: JSON.stringify(chosen) }), onResult(reply, remember));
}

function onResult(reply: Reply, act: () => void): Reply {
  return {
    relate: (bytes) => reply.relate(bytes),
    drop: () => reply.drop(),
    answer(bytes, message, status) {
      if (message?.span('result') !== undefined) act();
      reply.answer(bytes, message, status);
    },
  };
}

function answerEmpty(message: Message, reply: Reply): void {
  reply.answer(formatResult(message.text('id') ?? 'null', '{}'), undefined, 200);
}
