import { existsSync } from 'node:fs';
import type { GitSource } from '../config/schema.ts';
import { BerthError } from '../errors.ts';
import type { ResolveHost } from '../net/address-guard.ts';
import { digestBytes, digestPairs, showDigests } from './digest-files.ts';
import type { FetchContext, Fetched, FetchSource, RawFile, SkippedFile } from './fetched.ts';
import { type ChosenEntries, chooseEntries } from './git/choose-entries.ts';
import { fetchCommit } from './git/fetch-commit.ts';
import { type GitAddress, readGitAddress } from './git/git-address.ts';
import { type GitCredentials, readCredentials } from './git/git-credentials.ts';
import { buildGitEnvironment } from './git/git-environment.ts';
import { explainGitError, type GitSubject } from './git/git-errors.ts';
import { type GitReference, readInnerPath, readReference } from './git/git-reference.ts';
import { type ClonePlace, ensureClone, placeClone, preparePlace, removeClone } from './git/keep-clone.ts';
import { listTree } from './git/list-tree.ts';
import { pinHost } from './git/pin-host.ts';
import { readBlobs } from './git/read-blobs.ts';
import { createGitRunner, type GitRunner } from './git/run-git.ts';
import { takeTurns } from './git/take-turns.ts';
import { checkTotalBytes, maxFileBytes, maxTotalBytes, tooLargeReason } from './source-bounds.ts';

export interface FetchGitOptions {
  /** Whether repositories of this machine and of private addresses may be read: true for the configuration file. */
  readonly allowPrivate: boolean;
  /** Milliseconds without a sign of life after which git is ended. Default 60 000. */
  readonly silenceMs?: number;
  /** Milliseconds for one fetch in all. Default 10 minutes. */
  readonly timeoutMs?: number;
  readonly hostEnvironment?: Readonly<Record<string, string | undefined>>;
  readonly resolve?: ResolveHost;
}

/**
 * Makes the fetcher of `git` sources (contract 2). It keeps a bare, shallow clone per repository below `dataDir/git`
 * and fetches what is new. The digest stands for the files below `path` alone: a commit elsewhere is no change.
 *
 * The fetcher throws BerthError `source_git_refused`, `source_git_auth`, `source_git_not_found`,
 * `source_git_ref_missing`, `source_git_path_missing`, `source_git_unreachable`, `source_git_lfs`,
 * `source_git_failed`, `source_private_address`, `source_too_large`; the signal's reason when that is aborted.
 */
export function createFetchGit(options: FetchGitOptions): FetchSource<GitSource> {
  return async (source, context) => {
    const address = readGitAddress(source.repository, context.baseDir);
    const reference = readReference(source);
    const inner = readInnerPath(source.path);
    const pinned = options.allowPrivate ? undefined : await pinHost(address, options.resolve);
    if (address.localPath !== undefined && !existsSync(address.localPath)) throw refuseMissing(address);
    const credentials = await readCredentials(source.auth, address, context.baseDir);
    const place = placeClone(context.dataDir, address);
    const subject = describeSubject(address, reference, credentials);
    const environment = buildGitEnvironment({
      ...place,
      address,
      credentials,
      hostEnvironment: options.hostEnvironment ?? process.env,
      ...(pinned === undefined ? {} : { pinned }),
    });

    return takeTurns(place.gitDir, async () => {
      const deadline = AbortSignal.timeout(options.timeoutMs ?? 600_000);
      const signal = context.signal ? AbortSignal.any([context.signal, deadline]) : deadline;
      const git = createRunner(environment, signal, options);
      const attempt = async () => {
        await preparePlace(place);
        await ensureClone(git(place), place, address);
        return readSource(git(place), { address, reference, inner, place, subject, context });
      };
      try {
        const existed = existsSync(place.gitDir);
        return await attempt().catch(async (error: unknown) => {
          signal.throwIfAborted();
          // What no remote causes, a damaged clone does: it is replaced once.
          if (!existed || explainGitError(error, subject).code !== 'source_git_failed') throw error;
          await removeClone(place);
          return attempt();
        });
      } catch (error) {
        context.signal?.throwIfAborted();
        throw explainGitError(deadline.aborted ? new Error('timed out') : error, subject);
      }
    });
  };
}

interface Reading {
  readonly address: GitAddress;
  readonly reference: GitReference;
  readonly inner: string;
  readonly place: ClonePlace;
  readonly subject: GitSubject;
  readonly context: FetchContext;
}

async function readSource(git: GitRunner, reading: Reading): Promise<Fetched | 'unchanged'> {
  const { address, reference, inner, subject } = reading;
  const commit = await fetchCommit(git, reference, reading.place.gitDir);
  const tree = await listTree(git, commit, inner);
  const chosen = chooseEntries(tree, inner, `${subject.reference} of the git repository ${subject.shown}`);
  const digest = digestPairs([
    ['', `${chosen.layout}:${inner}`],
    ...chosen.entries.map(({ path, id }) => [path, id] as const),
    ...chosen.skipped.map(({ path, reason }) => [path, reason] as const),
  ]);
  if (digest === reading.context.knownDigest) return 'unchanged';
  const treeish = inner === '' ? `${commit}^{tree}` : `${commit}:${inner}`;
  const contents = await readBlobs(
    git,
    chosen.entries.map(({ id }) => id),
    treeish,
  );
  const { files, skipped } = presentFiles(chosen, contents);
  return {
    layout: chosen.layout,
    files,
    origin: {
      kind: 'git',
      commit,
      ...(reference.kind === 'commit' ? {} : { ref: reference.name }),
      repository: address.shown,
      ...showDigests(files.map(({ path, bytes }) => [path, digestBytes(bytes)] as const)),
    },
    digest,
    ...(skipped.length === 0 ? {} : { skipped }),
  };
}

function presentFiles(
  chosen: ChosenEntries,
  contents: ReadonlyMap<string, Uint8Array>,
): { files: RawFile[]; skipped: SkippedFile[] } {
  const files: RawFile[] = [];
  const skipped = [...chosen.skipped];
  let total = 0;
  for (const { path, id } of chosen.entries) {
    const bytes = contents.get(id);
    if (bytes === undefined) throw new Error('bad object in the clone');
    total += bytes.byteLength;
    checkTotalBytes(total, path);
    const alone = chosen.layout === 'file';
    if (isLargeFilePointer(bytes)) {
      const reason = 'The file is kept in Git LFS; the repository holds a pointer to it only.';
      if (alone)
        throw new BerthError('source_git_lfs', reason, {
          at: { file: path },
          fix: 'Commit the file itself.',
        });
      skipped.push({ path, reason });
    } else if (!alone && bytes.byteLength > maxFileBytes) skipped.push({ path, reason: tooLargeReason });
    else files.push({ path, bytes });
  }
  return { files, skipped };
}

function isLargeFilePointer(bytes: Uint8Array): boolean {
  return (
    bytes.byteLength < 1024 &&
    Buffer.from(bytes).toString('latin1').startsWith('version https://git-lfs.github.com/spec/')
  );
}

function createRunner(environment: Record<string, string>, signal: AbortSignal, options: FetchGitOptions) {
  return (place: ClonePlace): GitRunner =>
    createGitRunner({
      directory: place.gitDir,
      environment,
      signal,
      silenceMs: options.silenceMs ?? 60_000,
      maxOutputBytes: maxTotalBytes + 10_000_000,
    });
}

function describeSubject(
  address: GitAddress,
  reference: GitReference,
  credentials: GitCredentials,
): GitSubject {
  const { username = '', password = '' } = credentials.basic ?? {};
  const pair = Buffer.from(`${username}:${password}`).toString('base64');
  return {
    shown: address.shown,
    reference: reference.kind === 'head' ? 'commit at its HEAD' : `${reference.kind} ${reference.name}`,
    // A user name alone may be a token.
    secrets: credentials.basic ? [pair, password, ...(password === '' ? [username] : [])] : [],
  };
}

function refuseMissing(address: GitAddress): BerthError {
  return new BerthError(
    'source_git_not_found',
    `There is no git repository ${address.shown}, or it was moved.`,
    {
      fix: 'Correct `repository`; relative paths start at the directory of the configuration file.',
    },
  );
}
