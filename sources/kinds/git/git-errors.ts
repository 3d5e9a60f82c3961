import { GitPluginError } from 'simple-git';
import { BerthError } from '../../errors.ts';
import { readErrorCode } from '../file-errors.ts';

/** What a message about a repository may say, and what it must not. */
export interface GitSubject {
  /** The repository as people are shown it. */
  readonly shown: string;
  /** The branch, tag or commit, in words. */
  readonly reference: string;
  /** Texts that must not appear, such as a password. */
  readonly secrets: readonly string[];
}

interface Explanation {
  readonly code: string;
  readonly pattern: RegExp;
  readonly say: (subject: GitSubject, detail: string) => string;
  readonly fix: string;
}

// In this order: what is said first about a failure is the most exact.
const explanations: readonly Explanation[] = [
  {
    code: 'source_git_auth',
    pattern:
      /authentication failed|could not read (username|password)|terminal prompts disabled|permission denied|returned error: 40[13]|access denied|invalid username or password/i,
    say: ({ shown }) => `The git repository ${shown} refuses access.`,
    fix: 'Check `auth`: user name, password file or ssh key, and what they may read.',
  },
  {
    code: 'source_git_auth',
    pattern: /host key verification failed|remote host identification has changed/i,
    say: ({ shown }) => `The ssh host key of ${shown} is not the one known from before.`,
    fix: 'When the change is meant, remove the old key from known_hosts.',
  },
  {
    code: 'source_git_ref_missing',
    pattern:
      /couldn't find remote ref|not our ref|unadvertised object|no such remote ref|needed a single revision/i,
    say: ({ shown, reference }) => `The git repository ${shown} has no ${reference}.`,
    fix: 'Correct `branch`, `tag` or `commit`, or push it.',
  },
  {
    code: 'source_git_not_found',
    pattern:
      /repository not found|repository '.*' not found|does not appear to be a git repository|returned error: (404|410)|could not be found/i,
    say: ({ shown }) => `There is no git repository ${shown}, or it was moved.`,
    fix: 'Correct `repository`; hosts also answer so when access is missing.',
  },
  {
    code: 'source_git_unreachable',
    pattern: /certificate|ssl|gnutls/i,
    say: ({ shown }) => `The git repository ${shown} cannot be reached: its certificate is not accepted.`,
    fix: 'Trust its certificate authority with GIT_SSL_CAINFO or SSL_CERT_FILE.',
  },
  {
    code: 'source_git_unreachable',
    pattern:
      /could not resolve|failed to connect|couldn't connect|connection (refused|reset|timed out|closed)|timed out|network is unreachable|no route to host|unable to access|could not read from remote|early eof|hung up|returned error: \d+/i,
    say: ({ shown }, detail) => `The git repository ${shown} cannot be reached: ${detail}`,
    fix: 'Check the address and the network; the source is tried again at the next interval.',
  },
];

/** The error to throw for anything git or its start threw; no secret, no host path (contract 6). */
export function explainGitError(error: unknown, subject: GitSubject): BerthError {
  if (error instanceof BerthError) return error;
  if (error instanceof GitPluginError && error.plugin === 'timeout') {
    return new BerthError(
      'source_git_unreachable',
      `The git repository ${subject.shown} did not answer in time.`,
      {
        fix: 'Check the network; the source is tried again at the next interval.',
      },
    );
  }
  if (readErrorCode(error) === 'ENOENT' || /spawn git ENOENT/.test(String(error))) {
    return new BerthError('source_git_failed', 'The program git was not found.', {
      fix: 'Install git, or put it on the PATH.',
    });
  }
  const text = error instanceof Error ? error.message : String(error);
  const detail = redact(pickLine(text), subject);
  const found = explanations.find(({ pattern }) => pattern.test(text));
  if (found) return new BerthError(found.code, found.say(subject, detail), { fix: found.fix });
  return new BerthError(
    'source_git_failed',
    `Fetching the git repository ${subject.shown} failed: ${detail}`,
    {
      fix: 'The source is tried again at the next interval.',
    },
  );
}

/** Takes secrets, credentials in URLs and host paths out of a text. */
export function redact(text: string, subject: Pick<GitSubject, 'secrets'>): string {
  let clean = text;
  for (const secret of subject.secrets) if (secret !== '') clean = clean.replaceAll(secret, '***');
  return clean
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@']*@/gi, '$1')
    .replace(/file:\/\/[^\s']*/gi, '(path)')
    .replace(/(["'])\/[^"']*\1/g, '(path)')
    .replace(/(^|[\s(=:])\/(?!\/)[^\s:,'")]+/g, '$1(path)');
}

function pickLine(text: string): string {
  const lines = text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean);
  const line =
    lines.find((candidate) => /^(fatal|error|ssh|remote: error):/i.test(candidate)) ?? lines.at(-1) ?? '';
  return line.replace(/^(fatal|error): /i, '').slice(0, 300);
}
