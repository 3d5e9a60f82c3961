import { BerthError } from '../../../sources/errors.ts';
import { BUILT_IN_PROFILES } from '../../isolation/profile.ts';
import { UsageError } from '../../usage-error.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import { withoutAbsent } from '../flags/without-absent.ts';
import { PLAN_SCHEMA_VERSION, type Plan, type PlanInput, planSchema } from '../plan.ts';
import type { ServerChoice } from './server-choice.ts';

/**
 * Puts a server and the flags together. Flags win field by field over what is known of the server (contract 2).
 * @throws UsageError for a flag that this kind of server cannot have, BerthError `plan_invalid`
 */
export function composePlan(choice: ServerChoice, flags: RunFlags): Plan {
  refuseForRemote(choice, flags);
  const { server } = choice;
  const input: PlanInput = {
    schemaVersion: PLAN_SCHEMA_VERSION,
    name: flags.name ?? choice.derivedName,
    server: server.kind === 'protocol' ? { ...server, ...flags.build } : server,
    args: [...(flags.args.length > 0 ? flags.args : (choice.args ?? []))],
    transport: flags.transport ?? choice.transport,
    target: { ...choice.target, ...flags.target },
    proxy: { ...(choice.proxyPort === undefined ? {} : { port: choice.proxyPort }), ...flags.proxy },
    network: flags.network,
    profile: flags.profile ?? choice.profile ?? BUILT_IN_PROFILES.network,
    volumes: [...(choice.volumes ?? []).filter((volume) => !isMounted(volume, flags)), ...flags.volumes],
    ignore: flags.ignore,
    env: { ...withoutKeys(choice.env ?? {}, flags.secrets), ...flags.env },
    secrets: flags.secrets,
    labels: flags.labels,
    limits: flags.limits,
    tools: flags.tools,
    ...withoutAbsent({
      group: flags.group,
      debug: flags.debug,
      origin: choice.origin,
      provenance: choice.provenance,
      imageVerification: flags.imageVerification,
      caBundle: flags.caBundle,
      oidc: flags.oidc,
      authz: flags.authz,
      audit: flags.audit,
      webhooks: flags.webhooks,
      tokenExchange: flags.tokenExchange,
      remoteAuth: mergeRemoteAuth(choice, flags),
      forwardHeaders: mergeHeaders(choice, flags),
      telemetry: flags.telemetry,
    }),
  };
  return checkPlanShape(input);
}

/** The plan with its defaults. @throws BerthError `plan_invalid` naming the member */
export function checkPlanShape(input: unknown): Plan {
  const parsed = planSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BerthError('plan_invalid', `${issue?.path.join('.')}: ${issue?.message}.`, {
    cause: parsed.error,
  });
}

/** Flags that were given and change nothing for this kind of server, as one line each. */
export function findIdleFlags(
  server: PlanInput['server'],
  flags: RunFlags,
  used: readonly string[] = [],
): string[] {
  const sets: [readonly string[], string][] = [];
  if (server.kind === 'remote') sets.push([flags.containerFlags, 'a remote server']);
  else sets.push([flags.remoteFlags, 'a server in a container']);
  if (server.kind !== 'protocol') sets.push([flags.buildFlags, 'a server that is not built']);
  return sets.flatMap(([names, what]) => {
    const idle = names.filter((name) => !used.includes(name));
    return idle.length === 0 ? [] : [`No effect for ${what}: ${idle.join(', ')}.`];
  });
}

function refuseForRemote({ server }: ServerChoice, { transport, args }: RunFlags): void {
  if (server.kind !== 'remote') return;
  if (transport === 'stdio') {
    throw new UsageError('A remote server cannot talk over stdio.', {
      at: { flag: '--transport' },
      fix: 'Use streamable-http or sse.',
    });
  }
  if (args.length > 0) {
    throw new UsageError('A remote server takes no arguments.', { fix: 'Leave out what is after --.' });
  }
}

function isMounted(volume: { readonly target: string }, { volumes }: RunFlags): boolean {
  return volumes.some(({ target }) => target === volume.target);
}

function withoutKeys(
  values: Readonly<Record<string, string>>,
  keys: Readonly<Record<string, unknown>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !(key in keys)));
}

/** Endpoints of the flags take the place of an issuer of the entry, and the other way round. */
function mergeRemoteAuth(
  { remoteAuth: known, server }: ServerChoice,
  { remoteAuth: given }: RunFlags,
): PlanInput['remoteAuth'] {
  if (server.kind !== 'remote') return undefined;
  if (known === undefined || given === undefined) return given ?? known;
  const { issuer, authorizeUrl, tokenUrl, ...rest } = known;
  const chooses = [given.issuer, given.authorizeUrl, given.tokenUrl].some((part) => part !== undefined);
  return {
    ...rest,
    ...(chooses ? {} : withoutAbsent({ issuer, authorizeUrl, tokenUrl })),
    ...given,
    enabled: given.enabled === true || known.enabled === true,
  };
}

function mergeHeaders({ headers = {}, server }: ServerChoice, { forwardHeaders }: RunFlags) {
  if (server.kind !== 'remote') return undefined;
  const flagged = [...Object.keys(forwardHeaders?.plain ?? {}), ...Object.keys(forwardHeaders?.secret ?? {})];
  const taken = new Set(flagged.map((name) => name.toLowerCase()));
  const known = Object.entries(headers).filter(([name]) => !taken.has(name.toLowerCase()));
  if (known.length === 0) return forwardHeaders;
  return {
    plain: { ...Object.fromEntries(known), ...forwardHeaders?.plain },
    secret: { ...forwardHeaders?.secret },
  };
}
