import { BerthError } from '../../../sources/errors.ts';
import {
  findPreferred,
  listRunnables,
  RUN_ORDER,
  type Runnable,
  typeOfRunnable,
} from '../../../sources/model/package-reference.ts';
import type { ServerJson } from '../../../sources/model/server-json.ts';

/**
 * The package or remote of an entry to run: the first supported one in the order oci, npm, pypi, remote, or the one of
 * that number, counted from 1, packages before remotes (contract 2).
 * @throws BerthError `package_unknown`, `package_unsupported`
 */
export function choosePackage(server: ServerJson, number: number | undefined): Runnable {
  const all = listRunnables(server);
  const listed = all.map((one, index) => `${index + 1}: ${describe(one)}`).join(', ') || 'none';
  if (number !== undefined) {
    const chosen = all[number - 1];
    if (chosen === undefined) {
      throw new BerthError('package_unknown', `${server.name} has no package ${number}.`, {
        at: { flag: '--package' },
        fix: `It has ${listed}.`,
      });
    }
    if (RUN_ORDER.includes(typeOfRunnable(chosen))) return chosen;
    throw refuse(`Package ${number} of ${server.name} is of type ${typeOfRunnable(chosen)}`, listed);
  }
  const preferred = findPreferred(all);
  if (preferred !== undefined) return preferred;
  throw refuse(`${server.name} has no package that can be run`, listed);
}

function refuse(what: string, listed: string): BerthError {
  return new BerthError('package_unsupported', `${what}; oci, npm, pypi and remotes can be run.`, {
    fix: `It has ${listed}.`,
  });
}

function describe(chosen: Runnable): string {
  return chosen.kind === 'remote'
    ? `remote ${chosen.remote.url}`
    : `${typeOfRunnable(chosen)} ${chosen.package.identifier}`;
}
