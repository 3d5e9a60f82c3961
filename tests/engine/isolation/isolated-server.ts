import { readFileSync } from 'node:fs';
import { type ContainerSpec, type Engine, LABELS } from '../../../cli/engine/engine.ts';
import type { Isolation } from '../../../cli/isolation/isolation.ts';
import { openIsolation } from '../../../cli/isolation/open-isolation.ts';
import { type Plan, type PlanInput, planSchema } from '../../../cli/run/plan.ts';
import { TEST_IMAGES } from '../../support/engine-images.ts';

const PROBE = readFileSync(new URL('./probe.mjs', import.meta.url), 'utf8');

/** Answers HTTP on 8080 and 9090, or the one port it is given, saying which. */
const SERVER = `for (const port of process.env.ONLY_PORT ? [Number(process.env.ONLY_PORT)] : [8080, 9090])
  require('node:http').createServer((request, answer) => answer.end(port + ' ' + request.url)).listen(port);
process.on('SIGTERM', () => process.exit(0));`;

export type Probe =
  | { readonly way: 'tcp' | 'udp'; readonly host: string; readonly port: number; readonly word: string }
  | { readonly way: 'dns'; readonly name: string; readonly server?: string }
  | { readonly way: 'proxy'; readonly request: string; readonly word?: string };

export interface ProbeResult {
  readonly ok: boolean;
  readonly got?: string;
  readonly status?: number;
  readonly error?: string;
}

export interface LogLine {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** A server in a container, behind the isolation of its plan. */
export interface IsolatedServer {
  readonly isolation: Isolation;
  readonly id: string;
  readonly name: string;
  readonly log: readonly LogLine[];
  /** Milliseconds `openIsolation` took. */
  readonly openedIn: number;
  probe(targets: readonly Probe[]): Promise<readonly ProbeResult[]>;
  close(): Promise<void>;
}

export const OWNER = 'c0ffee00c0ffee00';

export function planServer(name: string, more: Partial<PlanInput>): Plan {
  return planSchema.parse({
    schemaVersion: '1',
    name,
    server: { kind: 'image', image: TEST_IMAGES.node },
    transport: 'streamable-http',
    target: { port: 8080 },
    proxy: {},
    network: {},
    profile: {},
    ignore: {},
    limits: {},
    ...more,
  });
}

/** @param bindHost as `--host` */
export async function startIsolatedServer(
  engine: Engine,
  plan: Plan,
  bindHost = '127.0.0.1',
): Promise<IsolatedServer> {
  const log: LogLine[] = [];
  const before = performance.now();
  const isolation = await openIsolation(engine, plan, {
    owner: OWNER,
    env: { BERTH_GATEWAY_IMAGE: TEST_IMAGES.gateway },
    log: (level, fields, message) => log.push({ level, fields, message }),
    bindHost,
  });
  const openedIn = performance.now() - before;
  const spec: ContainerSpec = {
    name: `berth-test-${plan.name}`,
    image: TEST_IMAGES.node,
    entrypoint: ['node', '-e', SERVER],
    labels: { [LABELS.managed]: 'true', [LABELS.workload]: plan.name, [LABELS.owner]: OWNER },
    mounts: [],
    interactive: false,
    pids: 512,
    readOnlyRoot: false,
    user: '65534:65534',
    ...isolation.server,
    env: { UV_THREADPOOL_SIZE: '64', ...plan.env, ...isolation.server.env },
  };
  try {
    const id = await engine.createContainer(spec);
    await engine.startContainer(id);
    const info = await engine.inspectContainer(id);
    if (info) await isolation.afterServerStart(info);
    return {
      isolation,
      id,
      name: spec.name,
      log,
      openedIn,
      probe: async (targets) => {
        const command = ['node', '--input-type=module', '-e', PROBE, JSON.stringify(targets)];
        const { output } = await engine.execInContainer(id, command);
        return JSON.parse(output);
      },
      close: async () => {
        await engine.removeContainer(id);
        await isolation.close();
      },
    };
  } catch (error) {
    await isolation.close();
    throw error;
  }
}
