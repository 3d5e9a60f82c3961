import { createHash } from 'node:crypto';
import type { GitSource } from '../../config/schema.ts';
import { BerthError } from '../../errors.ts';
import { isSafeInnerPath } from '../select-catalog-files.ts';

/** What of a repository is wanted. */
export interface GitReference {
  readonly kind: 'head' | 'branch' | 'tag' | 'commit';
  /** As people are shown it: the branch or tag name, the commit, `HEAD`. */
  readonly name: string;
  /** What is asked of the remote. */
  readonly remote: string;
  /** Where the clone keeps it, apart from what other sources of the same repository keep. */
  readonly local: string;
}

/**
 * The branch, tag or commit of a source; the remote's HEAD when none is given.
 *
 * @throws BerthError `source_git_refused` for a name git does not allow or would take for an option or a pattern
 */
export function readReference(source: Pick<GitSource, 'branch' | 'tag' | 'commit'>): GitReference {
  if (source.commit !== undefined) return describe('commit', source.commit, source.commit);
  if (source.tag !== undefined)
    return describe('tag', source.tag, `refs/tags/${checkName('tag', source.tag)}`);
  if (source.branch !== undefined) {
    return describe('branch', source.branch, `refs/heads/${checkName('branch', source.branch)}`);
  }
  return describe('head', 'HEAD', 'HEAD');
}

/**
 * The path inside the repository, without leading `./` and trailing `/`; empty for the whole repository.
 *
 * @throws BerthError `source_git_refused` when it leaves the repository
 */
export function readInnerPath(path: string): string {
  const inner = path.replace(/^(\.?\/)+/, '').replace(/\/+$/, '');
  if (inner === '' || inner === '.') return '';
  if (isSafeInnerPath(inner)) return inner;
  throw new BerthError(
    'source_git_refused',
    'The `path` of the git source does not lie inside the repository.',
    {
      fix: 'Give a path relative to the root of the repository, without `..`.',
    },
  );
}

function describe(kind: GitReference['kind'], name: string, remote: string): GitReference {
  const id = createHash('sha256').update(`${kind}:${name}`).digest('hex').slice(0, 24);
  return { kind, name, remote, local: `refs/berth/${id}` };
}

function checkName(kind: string, name: string): string {
  // The rules of git-check-ref-format, and no leading hyphen.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^[-/.]|\/\.|[/.]$|\.lock(\/|$)/;
  if (!forbidden.test(name)) return name;
  throw new BerthError('source_git_refused', `The ${kind} of the git source is not a name git allows.`, {
    fix: `Correct \`${kind}\`.`,
  });
}
