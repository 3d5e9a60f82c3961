import { fileURLToPath } from 'node:url';
import type { CatalogDir } from '../catalog/write-catalog.ts';
import { findFreePort } from './find-free-port.ts';
import type { Place } from './pinned.ts';
import { type Started, startProcess } from './start-process.ts';

export interface ServingBerth extends Started {
  readonly origin: string;
  /** Of the internal server. */
  readonly internalOrigin: string;
  /** Milliseconds from the start of the process until it was ready. */
  readonly readyMs: number;
}

/** The built command of this checkout. */
export const BUILT_BERTH = fileURLToPath(new URL('../../../dist/berth.js', import.meta.url));

/**
 * Starts the built command on free loopback ports and waits until it is ready: every source has a bundle.
 * @param script the built command
 */
export async function startBerth(
  script: string,
  catalog: Pick<CatalogDir, 'configFile'>,
  place: Place,
): Promise<ServingBerth> {
  const [port, internalPort] = [await findFreePort(), await findFreePort()];
  const internalOrigin = `http://127.0.0.1:${internalPort}`;
  const begun = performance.now();
  const started = startProcess(place, [
    process.execPath,
    ...[script, 'serve', '--config', catalog.configFile],
    ...['--address', `127.0.0.1:${port}`, '--internal-address', `127.0.0.1:${internalPort}`],
  ]);
  await started.waitUntil(() => isReady(internalOrigin));
  const readyMs = performance.now() - begun;
  return { ...started, origin: `http://127.0.0.1:${port}`, internalOrigin, readyMs };
}

async function isReady(internalOrigin: string): Promise<boolean> {
  const response = await fetch(`${internalOrigin}/readiness`).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.status === 200;
}
