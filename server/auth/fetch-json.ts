import { BerthError } from '../../sources/errors.ts';

export type Fetch = typeof globalThis.fetch;

/**
 * Fetches one JSON document of an identity provider.
 * @param init method, headers and body; redirects are refused because credentials travel along
 * @param maxBytes longer answers are refused
 * @throws BerthError `provider_answer` for a status other than 200, an answer that is too long or no JSON; what
 *   `fetch` throws when the provider cannot be reached
 */
export async function fetchJson(
  fetch: Fetch,
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: string },
  maxBytes: number,
): Promise<unknown> {
  const response = await fetch(url, {
    ...init,
    headers: { Accept: 'application/json', ...init.headers },
    redirect: 'error',
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw complain(url, `answered ${response.status}`);
  }
  const text = await readBounded(response, maxBytes);
  if (text === undefined) throw complain(url, `answered with more than ${maxBytes} bytes`);
  try {
    return JSON.parse(text);
  } catch {
    throw complain(url, 'answered with something that is not JSON');
  }
}

async function readBounded(response: Response, maxBytes: number): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.byteLength;
    if (length > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(next.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function complain(url: string, what: string): BerthError {
  return new BerthError('provider_answer', `The identity provider ${what}.`, {
    at: { url },
    fix: "Check the provider's URLs in auth.oauth.providers.",
  });
}
