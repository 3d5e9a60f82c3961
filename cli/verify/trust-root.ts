import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import type { getTrustedRoot } from '@sigstore/tuf';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { BerthError, messageOf } from '../../sources/errors.ts';
import type { UserDirectories } from '../user-directories.ts';

const PUBLIC_GOOD = 'tuf-repo-cdn.sigstore.dev';
const REFRESH_MS = 5_000;
/** A trust root this old is fetched anew; one that cannot be fetched is used all the same. */
const FRESH_FOR_MS = 24 * 3_600_000;
const DAY_FILE = 'refreshed';

export interface TrustRootDeps {
  readonly directories: Pick<UserDirectories, 'cache'>;
  /** `BERTH_SIGSTORE_TRUSTED_ROOT` names the file of a Sigstore of one's own. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** For tests; default: by TUF. */
  readonly fetchRoot?: typeof getTrustedRoot;
}

/**
 * The keys and authorities signatures are checked against (contract 7): the file of the environment, else those of the
 * public Sigstore, refreshed once a day where there is a network, cached, and shipped with the library for the first
 * use without one.
 * @param instance `sigstoreUrl` of the provenance; undefined means the public one
 * @throws BerthError `trust_root_unknown`, `trust_root_unreadable`
 */
export async function loadTrustRoot(instance: string | undefined, deps: TrustRootDeps): Promise<TrustedRoot> {
  const own = deps.env.BERTH_SIGSTORE_TRUSTED_ROOT;
  if (own !== undefined && own !== '') return readRoot(own);
  if (instance !== undefined && !instance.includes(PUBLIC_GOOD)) {
    throw new BerthError(
      'trust_root_unknown',
      `The image was signed with ${instance}, whose keys are not known here.`,
      {
        at: { flag: 'BERTH_SIGSTORE_TRUSTED_ROOT' },
        fix: 'Name the trusted_root.json of that Sigstore in this variable.',
      },
    );
  }
  const cache = join(deps.directories.cache, 'sigstore');
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const marker = join(cache, DAY_FILE);
  const refreshed = Number(await readFile(marker, 'utf8').catch(() => '0'));
  const fetchRoot = deps.fetchRoot ?? (await import('@sigstore/tuf')).getTrustedRoot;
  const isFresh = deps.now() - refreshed < FRESH_FOR_MS;
  try {
    const root = await fetchRoot({
      cachePath: cache,
      forceCache: isFresh,
      timeout: REFRESH_MS,
      retry: 0,
    });
    if (!isFresh) await writeFileAtomic(marker, String(deps.now()), { mode: 0o600 });
    await writeFileAtomic(join(cache, 'last.json'), JSON.stringify(TrustedRoot.toJSON(root)), {
      mode: 0o600,
    });
    return root;
  } catch {
    // No network: the last one that was fetched, else the one that came with the library.
    return readRoot(join(cache, 'last.json')).catch(() => readSeed());
  }
}

async function readRoot(file: string): Promise<TrustedRoot> {
  try {
    return TrustedRoot.fromJSON(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw new BerthError('trust_root_unreadable', `The trust root cannot be read: ${messageOf(cause)}.`, {
      at: { file },
      fix: 'It is the trusted_root.json of a Sigstore.',
      cause,
    });
  }
}

const seedsSchema = z.record(z.string(), z.object({ targets: z.record(z.string(), z.string()) }));

async function readSeed(): Promise<TrustedRoot> {
  const { createRequire } = await import('node:module');
  const seeds = seedsSchema.parse(createRequire(import.meta.url)('@sigstore/tuf/seeds.json'));
  const text = seeds[`https://${PUBLIC_GOOD}`]?.targets['trusted_root.json'];
  return TrustedRoot.fromJSON(JSON.parse(Buffer.from(text ?? '', 'base64').toString()));
}
