import { z } from 'zod';
import { BerthError } from '../../sources/errors.ts';
import { fetchDocument, insertWellKnown } from './fetch-document.ts';
import type { Challenge } from './read-challenge.ts';

const NAME = 'oauth-protected-resource';

const metadataSchema = z.looseObject({
  resource: z.string(),
  authorization_servers: z.array(z.url()).optional(),
  scopes_supported: z.array(z.string()).optional(),
});
export type ResourceMetadata = z.infer<typeof metadataSchema>;

/**
 * The metadata of a protected resource (RFC 9728, contract 6): where the challenge says, then with the path of the
 * resource inserted, then at the root. Undefined when the server has none.
 * @throws BerthError `remote_auth_discovery` when a document is for another resource or cannot be read
 */
export async function findResourceMetadata(
  fetch: typeof globalThis.fetch,
  resource: URL,
  challenge: Challenge | undefined,
): Promise<ResourceMetadata | undefined> {
  const told = challenge?.resourceMetadata;
  if (told !== undefined) {
    if (!URL.canParse(told, resource.href))
      throw refuse(resource, 'the challenge names no URL of its metadata');
    const metadata = await read(fetch, new URL(told, resource), resource);
    if (metadata !== undefined) return metadata;
  }
  const places = [insertWellKnown(resource, NAME), new URL(`/.well-known/${NAME}`, resource.origin)];
  for (const place of new Map(places.map((url) => [url.href, url])).values()) {
    const metadata = await read(fetch, place, resource);
    if (metadata !== undefined) return metadata;
  }
  return undefined;
}

async function read(
  fetch: typeof globalThis.fetch,
  url: URL,
  resource: URL,
): Promise<ResourceMetadata | undefined> {
  const response = await fetchDocument(fetch, url);
  if (response === undefined) return undefined;
  const parsed = metadataSchema.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success) throw refuse(url, 'its metadata (RFC 9728) cannot be understood');
  if (!isFor(parsed.data.resource, resource)) {
    throw refuse(url, `its metadata is for another resource (${parsed.data.resource})`);
  }
  return parsed.data;
}

/** The resource itself, or a path above it on the same origin. */
function isFor(told: string, resource: URL): boolean {
  if (!URL.canParse(told)) return false;
  const { origin, pathname } = new URL(told);
  const parent = pathname.endsWith('/') ? pathname : `${pathname}/`;
  return (
    origin === resource.origin &&
    (pathname === resource.pathname || `${resource.pathname}/`.startsWith(parent))
  );
}

function refuse(at: URL, why: string): BerthError {
  return new BerthError('remote_auth_discovery', `The remote server asks for a login, but ${why}.`, {
    at: { url: at.href },
    fix: 'Name the authorization server with --remote-auth-issuer.',
  });
}
