import { z } from 'zod';
import { BerthError } from '../../sources/errors.ts';
import { isLoopbackName } from '../../sources/net/address-guard.ts';
import type { ImageReference } from './image-reference.ts';

const MANIFEST_TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');
const PARAMETER = /([a-z]+)="([^"]*)"/g;

const descriptorSchema = z.looseObject({
  mediaType: z.string().default(''),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  artifactType: z.string().optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});
export type Descriptor = z.infer<typeof descriptorSchema>;
const indexSchema = z.looseObject({ manifests: z.array(descriptorSchema).default([]) });
const manifestSchema = z.looseObject({
  artifactType: z.string().optional(),
  layers: z.array(descriptorSchema).default([]),
});
export type Manifest = z.infer<typeof manifestSchema>;
const tokenSchema = z.looseObject({ token: z.string().optional(), access_token: z.string().optional() });

/** What `docker login` left for a registry. */
export interface RegistryLogin {
  readonly username?: string;
  readonly password?: string;
  /** Takes the place of both where the token service gave one. */
  readonly identitytoken?: string;
}

/** Reads what is stored beside an image in its registry (OCI distribution). */
export interface OciRegistry {
  /** Manifests that refer to a digest: by the referrers API, else by its tag schema. */
  listReferrers(digest: string): Promise<readonly Descriptor[]>;
  /** @param reference tag or digest; undefined when there is none */
  readManifest(reference: string): Promise<Manifest | undefined>;
  readBlob(digest: string): Promise<Buffer>;
}

/**
 * Opens the repository of an image. Credentials are those of anybody: signatures of private images need the user's own
 * `credentials`.
 * @throws (each method) BerthError `image_registry_failed`
 */
export function openOciRegistry(
  { host, repository }: ImageReference,
  fetch: typeof globalThis.fetch,
  credentials?: RegistryLogin | undefined,
): OciRegistry {
  const scheme = isLoopbackName(host.replace(/:\d+$/, '')) ? 'http' : 'https';
  const base = `${scheme}://${host}/v2/${repository}`;
  let authorization: string | undefined;
  const { username, password, identitytoken } = credentials ?? {};
  const basic =
    username === undefined || password === undefined
      ? undefined
      : `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

  const get = async (path: string, accept: string): Promise<Response> => {
    const send = () =>
      fetch(`${base}${path}`, {
        headers: { accept, ...(authorization === undefined ? {} : { authorization }) },
      });
    const first = await send();
    if (first.status !== 401) return first;
    await first.body?.cancel();
    authorization = await authorize(first.headers.get('www-authenticate'));
    return send();
  };
  const authorize = async (challenge: string | null): Promise<string | undefined> => {
    if (challenge === null || !/^bearer\s/i.test(challenge)) return basic;
    const { realm, ...parameters } = Object.fromEntries(
      [...challenge.matchAll(PARAMETER)].map(([, name = '', value = '']) => [name, value]),
    );
    if (realm === undefined || !URL.canParse(realm)) return basic;
    const url = new URL(realm);
    if (url.protocol !== 'https:' && !isLoopbackName(url.hostname)) {
      throw fail(host, 'its token service is not asked over plain http');
    }
    const answer = await askForToken(url, parameters);
    if (answer.status !== 200) throw fail(host, `its token service answered ${answer.status}`);
    const { token, access_token } = tokenSchema.parse(await answer.json());
    return `Bearer ${token ?? access_token ?? ''}`;
  };
  /** With a refresh token by POST, else by GET, as the Docker command line does. */
  const askForToken = (url: URL, parameters: Readonly<Record<string, string>>): Promise<Response> => {
    if (identitytoken !== undefined) {
      const body = new URLSearchParams({
        ...parameters,
        grant_type: 'refresh_token',
        refresh_token: identitytoken,
        client_id: 'berth',
      });
      return fetch(url, { method: 'POST', body });
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return fetch(url, { headers: basic === undefined ? {} : { authorization: basic } });
  };
  const getJson = async (path: string, accept: string): Promise<unknown> => {
    const response = await get(path, accept);
    if (response.status === 404) {
      await response.body?.cancel();
      return undefined;
    }
    if (response.status !== 200) throw fail(host, `it answered ${response.status}`);
    return response.json();
  };
  return {
    async listReferrers(digest) {
      const byApi = await getJson(`/referrers/${digest}`, MANIFEST_TYPES);
      const found = byApi ?? (await getJson(`/manifests/${digest.replace(':', '-')}`, MANIFEST_TYPES));
      const parsed = indexSchema.safeParse(found ?? {});
      return parsed.success ? parsed.data.manifests : [];
    },
    async readManifest(reference) {
      const found = await getJson(`/manifests/${reference}`, MANIFEST_TYPES);
      if (found === undefined) return undefined;
      const parsed = manifestSchema.safeParse(found);
      if (!parsed.success) throw fail(host, 'a manifest cannot be understood');
      return parsed.data;
    },
    async readBlob(digest) {
      const response = await get(`/blobs/${digest}`, '*/*');
      if (response.status !== 200) throw fail(host, `it answered ${response.status} for a signature`);
      return Buffer.from(await response.arrayBuffer());
    },
  };
}

function fail(host: string, why: string): BerthError {
  return new BerthError(
    'image_registry_failed',
    `The image registry ${host} does not give signatures: ${why}.`,
    {
      fix: 'Try again, or look whether the image needs a login (docker login).',
    },
  );
}
