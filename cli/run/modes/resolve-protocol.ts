import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { suggestName } from '../../../sources/config/nearest-name.ts';
import { BerthError } from '../../../sources/errors.ts';
import { UsageError } from '../../usage-error.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import type { PlanInput } from '../plan.ts';
import { composePlan, findIdleFlags } from './compose-plan.ts';
import { deriveNameOfPackage, toWorkloadName } from './derive-name.ts';
import type { Resolved } from './resolved.ts';
import type { ServerChoice } from './server-choice.ts';

export const SCHEMES = ['npx', 'uvx', 'go'] as const;
type Scheme = (typeof SCHEMES)[number];
type ProtocolInput = Extract<PlanInput['server'], { kind: 'protocol' }>;

const PACKAGES: Readonly<Record<Scheme, RegExp>> = {
  npx: /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*(?:@[a-zA-Z0-9.^~<>=*+_-]+)?$/i,
  uvx: /^[a-zA-Z0-9][a-zA-Z0-9._-]*(?:\[[a-zA-Z0-9._,-]+\])?(?:(?:@|==|>=|<=|~=)[a-zA-Z0-9.+!*_-]+)?$/,
  go: /^[a-zA-Z0-9][a-zA-Z0-9._~/-]*(?:@[a-zA-Z0-9.+_-]+)?$/,
};

/** `SCHEME://REST`; undefined when the argument is not written so. */
export function readScheme(argument: string): { readonly scheme: string; readonly rest: string } | undefined {
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(argument) ?? [];
  return scheme === undefined || rest === undefined ? undefined : { scheme: scheme.toLowerCase(), rest };
}

/**
 * `npx://PACKAGE`, `uvx://PACKAGE`, `go://PACKAGE`, `go://./PATH`.
 * @throws UsageError for what cannot be a package, BerthError `protocol_unknown`, `go_path_missing`
 */
export function resolveProtocol(
  { scheme: given, rest }: { readonly scheme: string; readonly rest: string },
  flags: RunFlags,
  cwd: string,
): Resolved {
  const scheme = SCHEMES.find((known) => known === given);
  if (scheme === undefined) {
    const guess = suggestName(given, SCHEMES);
    throw new BerthError('protocol_unknown', `The protocol ${given}:// is not known.`, {
      fix: `${guess === undefined ? '' : `${guess} `}Use npx://, uvx:// or go://, or the http(s) URL of a remote server.`,
    });
  }
  const { server, derivedName } =
    scheme === 'go' && /^\.{1,2}(?:\/|$)/.test(rest) ? readGoPath(rest, cwd) : readPackage(scheme, rest);
  const choice: ServerChoice = {
    derivedName,
    server,
    transport: flags.target.port === undefined ? 'stdio' : 'streamable-http',
  };
  return {
    plan: composePlan(choice, flags),
    nameIsDerived: flags.name === undefined,
    given: flags.given,
    warnings: findIdleFlags(server, flags),
  };
}

function readPackage(scheme: Scheme, name: string): { server: ProtocolInput; derivedName: string } {
  if (!PACKAGES[scheme].test(name) || name.split('/').includes('..')) {
    throw new UsageError(`"${name}" cannot be a package for ${scheme}://.`, {
      fix: `Write ${scheme}://${scheme === 'go' ? 'example.com/module@v1.2.3' : 'package@1.2.3'}.`,
    });
  }
  const bare = name.replace(/(?<=.)(?:@|==|>=|<=|~=).*$/, '').replace(/\[.*\]$/, '');
  return {
    server: { kind: 'protocol', scheme, package: name },
    derivedName: deriveNameOfPackage(bare),
  };
}

function readGoPath(path: string, cwd: string): { server: ProtocolInput; derivedName: string } {
  const directory = resolve(cwd, path);
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new BerthError('go_path_missing', `${directory} is not a directory.`, {
      fix: 'Local Go paths start with ./ or ../ and lead to the directory of a main package.',
    });
  }
  return {
    server: { kind: 'protocol', scheme: 'go', package: directory, local: true },
    derivedName: toWorkloadName(basename(directory)),
  };
}
