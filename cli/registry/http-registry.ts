import { z } from 'zod';
import { BerthError, messageOf } from '../../sources/errors.ts';
import { holdsWords } from './listed-registry.ts';
import { findNearestServers, partAfterSlash } from './nearest-servers.ts';
import { readRegistryEntry } from './read-registry-entry.ts';
import type { FoundEntry, RegistryClient, RegistryEntry } from './registry-client.ts';

const PAGE = 100;
const MOST_PAGES = 50;
/** "Did you mean" is worth a few requests, not a walk over everything. */
const PAGES_FOR_NEAREST = 10;

const pageSchema = z.looseObject({
  servers: z.array(z.unknown()).nullable(),
  metadata: z.looseObject({ nextCursor: z.string().nullish() }).nullish(),
});

export interface HttpRegistryOptions {
  /** What `/v0.1/servers` comes after, without a slash at the end. */
  readonly base: string;
  /** Bounded in time and size. */
  readonly fetch: typeof globalThis.fetch;
  /** The access token to send; undefined: none. Asked for with every request. */
  readonly token: () => Promise<string | undefined>;
}

/** A registry that speaks the v0.1 API, ours or another (contract 2 and 8). */
export function createHttpRegistry(options: HttpRegistryOptions): RegistryClient {
  const { base } = options;
  const walk = async (query: Readonly<Record<string, string>>, mostPages: number) => {
    const entries: RegistryEntry[] = [];
    let cursor = '';
    for (let page = 0; page < mostPages; page++) {
      const asked = new URLSearchParams({ limit: String(PAGE), ...query, ...(cursor ? { cursor } : {}) });
      const answer = await ask(options, `/v0.1/servers?${asked}`);
      const parsed = pageSchema.safeParse(answer);
      if (!parsed.success) throw refuseAnswer(base, 'it is no list of servers');
      for (const item of parsed.data.servers ?? []) {
        const read = readRegistryEntry(item);
        // One entry that is broken is no reason to hide the others.
        if ('entry' in read && read.entry.status !== 'deleted') entries.push(read.entry);
      }
      cursor = parsed.data.metadata?.nextCursor ?? '';
      if (cursor === '') break;
    }
    return keepFirst(entries);
  };
  const list = (mostPages: number) => walk({ version: 'latest' }, mostPages);
  const search = async (query: string) => {
    const found = await walk({ version: 'latest', search: query }, MOST_PAGES);
    return found.length > 0 || !/\s/.test(query)
      ? found
      : (await list(MOST_PAGES)).filter((entry) => holdsWords(entry, query));
  };
  const askEntry = async (name: string, version: string): Promise<RegistryEntry | undefined> => {
    const path = `/v0.1/servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`;
    const answer = await ask(options, path);
    if (answer === undefined) return undefined;
    const read = readRegistryEntry(answer);
    if ('fault' in read) throw refuseAnswer(base, read.fault);
    return read.entry.status === 'deleted' ? undefined : read.entry;
  };
  const listVersions = async (name: string): Promise<string[]> => {
    const answer = await ask(options, `/v0.1/servers/${encodeURIComponent(name)}/versions`);
    const parsed = pageSchema.safeParse(answer);
    const items = parsed.success ? (parsed.data.servers ?? []) : [];
    return items.flatMap((item) => {
      const read = readRegistryEntry(item);
      return 'entry' in read ? [read.entry.version] : [];
    });
  };
  const findFull = async (name: string, version: string): Promise<FoundEntry | undefined> => {
    const entry = await askEntry(name, version);
    if (entry !== undefined) return { kind: 'found', entry };
    const versions = version === 'latest' ? [] : await listVersions(name);
    return versions.length > 0 ? { kind: 'missing', nearest: [], versions } : undefined;
  };
  const missing = async (name: string): Promise<FoundEntry> => {
    const names = (await list(PAGES_FOR_NEAREST)).map((entry) => entry.name);
    return { kind: 'missing', nearest: findNearestServers(name, names) };
  };
  return {
    location: base,
    list: () => list(MOST_PAGES),
    search,
    async find(name, version = 'latest') {
      if (name.includes('/')) return (await findFull(name, version)) ?? (await missing(name));
      const found = await walk({ version: 'latest', search: name }, MOST_PAGES);
      const names = found.map((entry) => entry.name).filter((known) => partAfterSlash(known) === name);
      const [only, ...others] = names;
      if (only === undefined) return missing(name);
      if (others.length > 0) return { kind: 'ambiguous', names };
      return (await findFull(only, version)) ?? (await missing(name));
    },
  };
}

/** Some registries list every version although only the latest were asked for; theirs come newest first. */
function keepFirst(entries: readonly RegistryEntry[]): RegistryEntry[] {
  const byName = new Map<string, RegistryEntry>();
  for (const entry of entries) if (!byName.has(entry.name)) byName.set(entry.name, entry);
  return [...byName.values()];
}

/** The JSON of an answer; undefined for 404 and for a name the registry says is none (400). */
async function ask({ base, fetch, token }: HttpRegistryOptions, path: string): Promise<unknown> {
  const bearer = await token();
  let response: Response;
  try {
    response = await fetch(`${base}${path}`, {
      headers: {
        accept: 'application/json',
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      },
    });
  } catch (cause) {
    throw new BerthError('registry_unreachable', `The registry cannot be reached: ${messageOf(cause)}`, {
      at: { url: base },
      fix: 'Choose another registry with `berth registry set`, or try again.',
      cause,
    });
  }
  if (response.ok) {
    try {
      return await response.json();
    } catch (cause) {
      throw refuseAnswer(base, 'it is not JSON', cause);
    }
  }
  await response.body?.cancel();
  if (response.status === 404 || response.status === 400 || response.status === 422) return undefined;
  if (response.status === 401 || response.status === 403) {
    throw new BerthError(
      'registry_refused',
      `The registry refused the request (${response.status})${bearer === undefined ? ': no token was sent' : ''}.`,
      { at: { url: base }, fix: 'Log in with `berth registry login`.' },
    );
  }
  throw new BerthError('registry_unreachable', `The registry answered ${response.status}.`, {
    at: { url: base },
    fix: 'Try again later.',
  });
}

function refuseAnswer(base: string, why: string, cause?: unknown): BerthError {
  return new BerthError('registry_answer_invalid', `The registry answered what cannot be used: ${why}.`, {
    at: { url: base },
    fix: 'Check the URL given to `berth registry set`: `/v0.1/servers` has to be below it.',
    ...(cause === undefined ? {} : { cause }),
  });
}
