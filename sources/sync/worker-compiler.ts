import { Worker } from 'node:worker_threads';
import type { SourceRecord } from '../bundle/manifest.ts';
import { BerthError } from '../errors.ts';
import type { Compiler, LoadedBundle } from './compiler.ts';
import type { RefreshResult } from './refresh-source.ts';
import { unpackError, type WorkerRequest, type WorkerResponse } from './worker-messages.ts';

/** The worker ends after this long without work, so that its memory is given back. */
const IDLE_MS = 15_000;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: BerthError): void;
}

/**
 * A compiler in a thread of its own, started when there is work: requests are answered meanwhile. A thread that dies
 * fails the work it had; the next call starts another.
 * @param script the built `compile-worker.js`
 */
export function createWorkerCompiler(script: URL): Compiler {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  const failAll = (message: string) => {
    const error = new BerthError('compile_worker_ended', message, { fix: 'The next sync tries again.' });
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };

  const start = (): Worker => {
    const started = new Worker(script);
    started.on('message', (response: WorkerResponse) => {
      const call = waiting.get(response.id);
      waiting.delete(response.id);
      if (response.ok) call?.resolve(response.value);
      else call?.reject(unpackError(response.error));
      if (waiting.size === 0) restWhenIdle();
    });
    const ended = (why: string) => {
      if (worker !== started) return;
      worker = undefined;
      failAll(`The compile thread ended: ${why}.`);
    };
    started.on('error', (error) => ended(error.message));
    started.on('exit', (code) => ended(`exit ${code}`));
    return started;
  };

  const restWhenIdle = () => {
    clearTimeout(idle);
    idle = setTimeout(() => {
      const resting = worker;
      worker = undefined;
      void resting?.terminate();
    }, IDLE_MS).unref();
  };

  const call = (request: DistributiveOmit<WorkerRequest, 'id'>): Promise<unknown> => {
    clearTimeout(idle);
    worker ??= start();
    const id = ++lastId;
    const running = worker;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      running.postMessage({ ...request, id });
    });
  };

  return {
    refresh: async (...args) => (await call({ operation: 'refresh', args })) as RefreshResult,
    load: async (...args) => (await call({ operation: 'load', args })) as LoadedBundle,
    rollback: async (...args) => (await call({ operation: 'rollback', args })) as SourceRecord,
    close: async () => {
      clearTimeout(idle);
      const last = worker;
      worker = undefined;
      failAll('Berth is stopping.');
      await last?.terminate();
    },
  };
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
