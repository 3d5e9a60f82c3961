import { existsSync } from 'node:fs';
import { BerthError, messageOf } from '../../sources/errors.ts';
import { decideIsolation } from '../isolation/decide-isolation.ts';
import { readStrictFile } from '../policy/read-strict-file.ts';
import { findNameFault, findValueFault } from './flags/read-forward-headers.ts';
import { findLabelFault } from './flags/read-labels.ts';
import { PLAN_SCHEMA_VERSION, type Plan, planSchema } from './plan.ts';

/** What `berth export` writes: the plan, with names of secrets and never their values (contract 2). */
export function exportPlan({ plan }: { readonly plan: Plan }): string {
  return `${JSON.stringify(planSchema.parse(plan), null, 2)}\n`;
}

/**
 * Reads what `exportPlan` wrote. Checked like flags: unknown and wrong fields, and what files it names.
 * @param file as it is told to people
 * @throws ConfigError `config_invalid` with line and field, BerthError `plan_version_unknown`, `plan_invalid`
 */
export function readExportedPlan(file: string, text: string): Plan {
  const version = peekVersion(text);
  if (version !== undefined && version !== PLAN_SCHEMA_VERSION) {
    throw new BerthError(
      'plan_version_unknown',
      `The file has schemaVersion ${JSON.stringify(version)}; this version reads "${PLAN_SCHEMA_VERSION}".`,
      { at: { file }, fix: 'Export the workload again with this version.' },
    );
  }
  const plan = readStrictFile(text, file, planSchema);
  const fault = findFault(plan);
  if (fault === undefined) return plan;
  throw new BerthError('plan_invalid', `${fault}.`, { at: { file }, fix: 'Correct the file.' });
}

function peekVersion(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'schemaVersion' in value
      ? value.schemaVersion
      : undefined;
  } catch {
    return undefined;
  }
}

/** What a flag would have been refused for. */
function findFault(plan: Plan): string | undefined {
  for (const [key, value] of Object.entries(plan.labels)) {
    const fault = findLabelFault(key, value);
    if (fault !== undefined) return `labels: ${key}: ${fault}`;
  }
  const headers = plan.forwardHeaders ?? { plain: {}, secret: {} };
  for (const [name, value] of Object.entries({ ...headers.secret, ...headers.plain })) {
    const fault = findNameFault(name) ?? findValueFault(value);
    if (fault !== undefined) return `forwardHeaders: ${name} ${fault}`;
  }
  if (plan.server.kind === 'remote' && plan.transport === 'stdio') {
    return 'transport: a remote server cannot talk over stdio';
  }
  const missing = listPaths(plan).find(([, path]) => !existsSync(path));
  if (missing !== undefined) return `${missing[0]}: ${missing[1]} does not exist`;
  try {
    decideIsolation({ network: plan.network.mode, isolateNetwork: plan.network.isolate });
  } catch (error) {
    return `network: ${messageOf(error)}`;
  }
  return undefined;
}

function listPaths(plan: Plan): [member: string, path: string][] {
  const { server } = plan;
  const paths: [string, string | undefined][] = [
    ...plan.volumes.map(({ source }): [string, string] => ['volumes', source]),
    ['caBundle', plan.caBundle],
    ['oidc.authTokenFile', plan.oidc?.authTokenFile],
    ['server.caCert', server.kind === 'protocol' ? server.caCert : undefined],
    ['server.package', server.kind === 'protocol' && server.local ? server.package : undefined],
  ];
  return paths.flatMap(([member, path]) => (path === undefined ? [] : [[member, path]]));
}

/** The plan as `--dry-run` prints it. */
export function printPlan(plan: Plan): string {
  return exportPlan({ plan });
}
