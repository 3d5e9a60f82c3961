import { Readable } from 'node:stream';
import { z } from 'zod';
import type { ContainerEvent, Engine, Watch } from '../engine.ts';
import type { DockerContext } from './docker-context.ts';

const ACTIONS = {
  start: 'start',
  die: 'die',
  died: 'die',
  destroy: 'destroy',
  remove: 'destroy',
  oom: 'oom',
} as const;

const eventSchema = z.looseObject({
  Action: z.string().optional(),
  status: z.string().optional(),
  Actor: z.looseObject({ ID: z.string(), Attributes: z.record(z.string(), z.string()).default({}) }),
});

/** Milliseconds between attempts to reach an engine that is gone. */
const FIRST_DELAY_MS = 250;
const LAST_DELAY_MS = 5_000;

/** One stream of events; what happens while the engine is away is not reported, so look again after `onBack`. */
export function watchContainers(
  context: DockerContext,
  label: string,
  handlers: Parameters<Engine['watchContainers']>[1],
): Watch {
  const abort = new AbortController();
  const { signal } = abort;
  let reportReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    reportReady = resolve;
  });
  let isLost = false;
  let delay = FIRST_DELAY_MS;

  const follow = async (): Promise<void> => {
    // Kept free of a filter by action: Docker and Podman name them differently.
    const stream = await context.docker.getEvents({
      filters: { type: ['container'], label: [label] },
      abortSignal: signal,
    });
    delay = FIRST_DELAY_MS;
    reportReady();
    if (isLost) {
      isLost = false;
      handlers.onBack();
    }
    for await (const event of readEvents(Readable.from(stream))) {
      if (!signal.aborted) handlers.onEvent(event);
    }
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await follow();
      } catch {
        // Whatever ended the stream, the engine has to be found again.
      }
      if (signal.aborted) break;
      if (!isLost) {
        isLost = true;
        handlers.onLost();
      }
      await pause(delay, signal);
      delay = Math.min(delay * 2, LAST_DELAY_MS);
    }
    reportReady();
  };
  void run();
  return { ready, stop: () => abort.abort() };
}

async function* readEvents(stream: Readable): AsyncGenerator<ContainerEvent> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = readEvent(line);
      if (event) yield event;
    }
  }
}

function readEvent(line: string): ContainerEvent | undefined {
  const event = eventSchema.safeParse(parseJson(line)).data;
  const name = event?.Action ?? event?.status ?? '';
  if (!event || !isAction(name)) return undefined;
  const { name: containerName = '', exitCode, ...labels } = event.Actor.Attributes;
  const code = Number(exitCode ?? event.Actor.Attributes.containerExitCode);
  return {
    containerId: event.Actor.ID,
    name: containerName,
    action: ACTIONS[name],
    exitCode: Number.isInteger(code) ? code : undefined,
    labels,
  };
}

function isAction(name: string): name is keyof typeof ACTIONS {
  return Object.hasOwn(ACTIONS, name);
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
