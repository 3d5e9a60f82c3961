import { UsageError } from '../usage-error.ts';

export interface PackageName {
  readonly name: string;
  /** undefined when none was given. */
  readonly version: string | undefined;
}

/** The first character is never `-`, so that no name is taken for an option. */
const NPM = /^((?:@[a-z0-9~_][\w.~-]*\/)?[a-z0-9~_][\w.~-]*)(?:@([\w.~^][\w.+~^-]*))?$/i;
const PYTHON = /^([a-z0-9](?:[\w.-]*[a-z0-9])?(?:\[[\w.-]+(?:,[\w.-]+)*\])?)(?:(?:@|==)([\w][\w.+!*-]*))?$/i;
const GO = /^([a-z0-9][\w.~-]*(?:\/[a-z0-9_~][\w.~+-]*)+)(?:@([\w][\w.+~/-]*))?$/i;

const FORMS = {
  npx: { pattern: NPM, example: 'npx://@scope/name@1.2.3' },
  uvx: { pattern: PYTHON, example: 'uvx://name@1.2.3 or uvx://name[extra]==1.2.3' },
  go: { pattern: GO, example: 'go://example.com/module/cmd/server@v1.2.3 or go://./path' },
} as const;

/**
 * Takes a package of a protocol scheme apart.
 *
 * @param text what followed `scheme://`
 * @throws UsageError when it is no package name: it would become part of commands
 */
export function parsePackage(scheme: keyof typeof FORMS, text: string): PackageName {
  const { pattern, example } = FORMS[scheme];
  const match = text.length <= 300 && !text.includes('..') ? pattern.exec(text) : null;
  if (!match?.[1]) {
    throw new UsageError(`${scheme}://${text} does not name a package.`, { fix: `Expected ${example}.` });
  }
  return { name: match[1], version: match[2] };
}

const SYSTEM_PACKAGE = /^[a-zA-Z0-9][a-zA-Z0-9._+-]*$/;

/** @throws UsageError when a value of `--runtime-add-package` is no name of a system package */
export function checkSystemPackages(names: readonly string[]): void {
  for (const name of names) {
    if (name.length > 128 || !SYSTEM_PACKAGE.test(name)) {
      throw new UsageError(`${JSON.stringify(name)} is no name of a system package.`, {
        at: { flag: '--runtime-add-package' },
        fix: 'Give names of apk or apt packages, letters, digits and . _ + - only.',
      });
    }
  }
}
