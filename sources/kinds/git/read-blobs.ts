import type { GitRunner } from './run-git.ts';

/**
 * Reads objects with one process. Those a partial clone does not hold yet are fetched together first.
 *
 * @param ids object ids of files
 * @param treeish what they are found in, to learn which of them are missing
 * @returns the content by object id
 */
export async function readBlobs(
  git: GitRunner,
  ids: readonly string[],
  treeish: string,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const unique = [...new Set(ids)];
  if (unique.length === 0) return new Map();
  await fetchMissing(git, new Set(unique), treeish);
  return parseBatch(await git.feed(['cat-file', '--batch'], `${unique.join('\n')}\n`));
}

async function fetchMissing(git: GitRunner, wanted: ReadonlySet<string>, treeish: string): Promise<void> {
  const listing = await git.run(['rev-list', '--objects', '--missing=print', '--no-walk', treeish]);
  const missing = [...listing.matchAll(/^\?([0-9a-f]+)/gm)]
    .map(([, id]) => id ?? '')
    .filter((id) => wanted.has(id));
  if (missing.length === 0) return;
  const flags = [
    '--no-tags',
    '--no-write-fetch-head',
    '--no-recurse-submodules',
    '--filter=blob:none',
    '--progress',
  ];
  // Ids are wanted as they are: there is nothing to negotiate about them.
  await git.feed(['fetch', ...flags, '--stdin', 'origin'], `${missing.join('\n')}\n`, [
    'fetch.negotiationAlgorithm',
    'noop',
  ]);
}

function parseBatch(output: Buffer): ReadonlyMap<string, Uint8Array> {
  const contents = new Map<string, Uint8Array>();
  let at = 0;
  while (at < output.length) {
    const end = output.indexOf(10, at);
    const header = /^([0-9a-f]+) blob (\d+)$/.exec(output.toString('latin1', at, end));
    const [, id, size] = header ?? [];
    if (id === undefined || size === undefined) throw new Error('bad object in the clone');
    const start = end + 1;
    contents.set(id, output.subarray(start, start + Number(size)));
    at = start + Number(size) + 1;
  }
  return contents;
}
