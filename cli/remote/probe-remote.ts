import { fetchWithinOrigin } from './fetch-within-origin.ts';
import { type Challenge, readChallenge } from './read-challenge.ts';

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 'berth-probe',
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'berth', version: process.env.BERTH_VERSION ?? '0.0.0' },
  },
});

/** Whether a remote server asks for a login, and what its challenge says. */
export interface RemoteProbe {
  readonly asksForLogin: boolean;
  readonly challenge: Challenge | undefined;
}

/**
 * Asks a remote server once, as a client without credentials would.
 * @param isSse whether it speaks HTTP with SSE, where the first request is a GET
 * @param headers those the user forwards to every request
 */
export async function probeRemote(
  url: URL,
  isSse: boolean,
  headers: Readonly<Record<string, string>>,
  fetch: typeof globalThis.fetch,
): Promise<RemoteProbe> {
  const response = isSse
    ? await fetchWithinOrigin(fetch, url, { headers: { ...headers, accept: 'text/event-stream' } })
    : await fetchWithinOrigin(fetch, url, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: INITIALIZE,
      });
  const { status } = response;
  const challenge = readChallenge(response.headers.get('www-authenticate'));
  const session = response.headers.get('mcp-session-id');
  await response.body?.cancel();
  if (session !== null) {
    // The probe was nobody's session; a server that keeps it for a while does no harm.
    await fetch(url, { method: 'DELETE', headers: { ...headers, 'mcp-session-id': session } }).then(
      (answer) => answer.body?.cancel(),
      () => undefined,
    );
  }
  return { asksForLogin: status === 401, challenge };
}
