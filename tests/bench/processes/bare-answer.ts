import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoadRequest } from '../load/load.ts';
import { type Started, startProcess } from './start-process.ts';

/** An answer as it was captured. */
export interface BareAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: string[];
  /** Base64; absent without a body. */
  readonly body?: string;
}

/** What the bare server writes, one after the other whatever is asked, and what it verifies before. */
export interface BareSettings {
  readonly answers: readonly BareAnswer[];
  readonly verify?: {
    readonly jwk: Readonly<Record<string, unknown>>;
    readonly issuer: string;
    readonly audience: string;
  };
}

const SCRIPT = fileURLToPath(new URL('./bare-server.ts', import.meta.url));
/** Node adds these to every answer by itself. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Asks once, and keeps status, headers and body byte for byte. */
export function captureAnswer(origin: string, { path, headers }: LoadRequest): Promise<BareAnswer> {
  return new Promise((resolve, reject) => {
    const asking = request(`${origin}${path}`, { headers: { ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const kept: string[] = [];
        for (let at = 0; at < response.rawHeaders.length; at += 2) {
          const name = response.rawHeaders[at] ?? '';
          if (!OWN_HEADERS.has(name.toLowerCase())) kept.push(name, response.rawHeaders[at + 1] ?? '');
        }
        const body = Buffer.concat(chunks);
        const status = response.statusCode ?? 0;
        resolve({ status, headers: kept, ...(body.length > 0 ? { body: body.toString('base64') } : {}) });
      });
    });
    asking.on('error', reject);
    asking.end();
  });
}

/** The answers to all of the requests, in their order. */
export async function captureAnswers(
  origin: string,
  requests: readonly LoadRequest[],
): Promise<BareAnswer[]> {
  const answers: BareAnswer[] = [];
  for (const request of requests) answers.push(await captureAnswer(origin, request));
  return answers;
}

/** A bare server on the server's core that answers as captured. */
export async function startBare(settings: BareSettings): Promise<Started & { readonly origin: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'bench-bare-'));
  const file = join(dir, 'settings.json');
  await writeFile(file, JSON.stringify(settings));
  const command = [process.execPath, '--import', 'tsx', SCRIPT, file] as const;
  const started = startProcess('server', command);
  const match = await started.waitForOutput(/ready on (\S+)/);
  // Read once at its start.
  await rm(dir, { recursive: true, force: true });
  return { ...started, origin: match[1] ?? '' };
}
