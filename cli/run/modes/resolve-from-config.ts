import { readExportedPlan } from '../exported-plan.ts';
import { readNamedFile } from '../flags/read-files.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import type { Resolved } from './resolved.ts';

/** An exported configuration; name, group and debug mode may be chosen anew (contract 2). @throws BerthError, ConfigError */
export function resolveFromConfig(file: string, flags: RunFlags): Resolved {
  const plan = readExportedPlan(file, readNamedFile('--from-config', file, '/'));
  return {
    plan: {
      ...plan,
      name: flags.name ?? plan.name,
      group: flags.group ?? plan.group,
      debug: flags.debug ?? plan.debug,
    },
    nameIsDerived: false,
    given: {},
    warnings: [],
  };
}
