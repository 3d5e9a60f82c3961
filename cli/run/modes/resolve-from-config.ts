import { adoptSecrets } from '../adopt-secrets.ts';
import { readExportedPlan } from '../exported-plan.ts';
import { readNamedFile } from '../flags/read-files.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import type { Resolved } from './resolved.ts';

/** An exported configuration; name, group and debug mode may be chosen anew (contract 2). @throws BerthError, ConfigError */
export function resolveFromConfig(file: string, flags: RunFlags): Resolved {
  const exported = readExportedPlan(file, readNamedFile('--from-config', file, '/'));
  const { plan, copies } = adoptSecrets(exported, flags.name ?? exported.name);
  return {
    plan: {
      ...plan,
      group: flags.group ?? plan.group,
      debug: flags.debug ?? plan.debug,
    },
    nameIsDerived: false,
    given: { copies },
    warnings: [],
  };
}
