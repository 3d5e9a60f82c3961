import { BerthError } from '../../../sources/errors.ts';
import type { ServerJson } from '../../../sources/model/server-json.ts';

export type ServerPackage = NonNullable<ServerJson['packages']>[number];
export type ServerRemote = NonNullable<ServerJson['remotes']>[number];

export type Chosen =
  | { readonly kind: 'package'; readonly package: ServerPackage }
  | { readonly kind: 'remote'; readonly remote: ServerRemote };

const ORDER = ['oci', 'npm', 'pypi', 'remote'];

/**
 * The package or remote of an entry to run: the first supported one in the order oci, npm, pypi, remote, or the one of
 * that number, counted from 1, packages before remotes (contract 2).
 * @throws BerthError `package_unknown`, `package_unsupported`
 */
export function choosePackage(server: ServerJson, number: number | undefined): Chosen {
  const all: Chosen[] = [
    ...(server.packages ?? []).map((one): Chosen => ({ kind: 'package', package: one })),
    ...(server.remotes ?? []).map((remote): Chosen => ({ kind: 'remote', remote })),
  ];
  const listed = all.map((one, index) => `${index + 1}: ${describe(one)}`).join(', ') || 'none';
  if (number !== undefined) {
    const chosen = all[number - 1];
    if (chosen === undefined) {
      throw new BerthError('package_unknown', `${server.name} has no package ${number}.`, {
        at: { flag: '--package' },
        fix: `It has ${listed}.`,
      });
    }
    if (ORDER.includes(typeOf(chosen))) return chosen;
    throw refuse(`Package ${number} of ${server.name} is of type ${typeOf(chosen)}`, listed);
  }
  for (const type of ORDER) {
    const chosen = all.find((one) => typeOf(one) === type);
    if (chosen !== undefined) return chosen;
  }
  throw refuse(`${server.name} has no package that can be run`, listed);
}

function refuse(what: string, listed: string): BerthError {
  return new BerthError('package_unsupported', `${what}; oci, npm, pypi and remotes can be run.`, {
    fix: `It has ${listed}.`,
  });
}

function typeOf(chosen: Chosen): string {
  return chosen.kind === 'remote' ? 'remote' : chosen.package.registryType;
}

function describe(chosen: Chosen): string {
  return chosen.kind === 'remote'
    ? `remote ${chosen.remote.url}`
    : `${typeOf(chosen)} ${chosen.package.identifier}`;
}
