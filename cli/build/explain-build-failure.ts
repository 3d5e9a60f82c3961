import { BerthError } from '../../sources/errors.ts';

/** What npm, uv, pip, go, apt and apk say, best reason first. */
const REASONS: readonly { readonly pattern: RegExp; readonly reason: (match: RegExpExecArray) => string }[] =
  [
    { pattern: /npm error code E404/, reason: () => 'the npm registry has no such package (404 Not Found)' },
    { pattern: /npm error code ETARGET/, reason: () => 'the npm registry has no such version (not found)' },
    { pattern: /npm error code E40[13]/, reason: () => 'the npm registry refuses access' },
    {
      pattern: /was not found in the package registry|there (?:is|are) no versions? of \S+/i,
      reason: () => 'the Python package index has no such package or version (not found)',
    },
    {
      pattern: /No executables are provided by/,
      reason: () => 'the Python package has no command to run',
    },
    {
      pattern: /has no command to run|has several commands/,
      reason: ({ input }) => lineWith(input, /has no command to run|has several commands/),
    },
    {
      pattern:
        /^.*(?:404 Not Found|410 Gone|no matching versions|unknown revision|does not contain package).*$/m,
      reason: ([line]) => `not found: ${line.trim()}`,
    },
    {
      pattern: /Unable to locate package (\S+)|(\S+) \(no such package\)/,
      reason: ([, apt, apk]) => `the distribution has no package ${apt ?? apk}`,
    },
    {
      pattern:
        /SELF_SIGNED_CERT|UNABLE_TO_(?:GET|VERIFY)|certificate verify failed|unknown authority|invalid peer certificate/i,
      reason: () => 'a certificate is not trusted; give the CA of your network with --ca-cert',
    },
    {
      pattern:
        /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|connection refused|no such host|Temporary failure|network is unreachable/i,
      reason: () => 'the package registry cannot be reached from the build',
    },
    {
      pattern: /No matching distribution found for (\S+)/,
      reason: ([, name]) => `the Python package index has no ${name} for this Python (not found)`,
    },
  ];

/**
 * Says why a package could not be built.
 *
 * @param title the package as the user gave it
 * @param text the error of the engine with the last lines of the build
 */
export function explainBuildFailure(title: string, text: string, cause: unknown): BerthError {
  const lines = text.split('\n').slice(1);
  let why = text.split('\n')[0] ?? '';
  for (const { pattern, reason } of REASONS) {
    const match = pattern.exec(text);
    if (!match) continue;
    why = reason(match);
    break;
  }
  return new BerthError('build_failed', [`${title} could not be built: ${why}`, ...lines].join('\n'), {
    cause,
  });
}

function lineWith(text: string, pattern: RegExp): string {
  return (
    text
      .split('\n')
      .find((line) => pattern.test(line))
      ?.trim() ?? ''
  );
}
