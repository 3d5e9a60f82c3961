import { BerthError, messageOf } from '../../sources/errors.ts';
import type { ContainerInfo, Engine } from '../engine/engine.ts';
import type { Plan } from '../run/plan.ts';
import { ensureNetwork } from './ensure-network.ts';
import { findTarget } from './find-target.ts';
import { type FollowedGateway, followGateway, type RefusedConnection } from './follow-gateway.ts';
import { findGatewayImage } from './gateway-image.ts';
import { collectHostFacts, findBindAddress } from './host-facts.ts';
import type { Isolation, IsolationContext } from './isolation.ts';
import { planGateway, planIsolation } from './plan-isolation.ts';
import { removeIsolation } from './remove-isolation.ts';

/** How long a gateway may take from its start to its first connection, in milliseconds. */
const READY_TIMEOUT = 30_000;

interface RunningGateway {
  readonly id: string;
  readonly info: ContainerInfo;
  readonly output: FollowedGateway;
}

/**
 * Opens the isolation of a workload: its network, the gateway's way out and the gateway, ready for connections.
 *
 * @throws BerthError as `openIsolation`
 */
export async function openGateway(engine: Engine, plan: Plan, context: IsolationContext): Promise<Isolation> {
  const { owner, log, env, signal } = context;
  const layout = planIsolation(plan, owner, await findBindAddress(context.bindHost));
  const given = context.gatewayImage || env.BERTH_GATEWAY_IMAGE || undefined;
  let refused = 0;
  let running: RunningGateway | undefined;
  let closed = false;
  /** One repair at a time. */
  let repairing: Promise<void> | undefined;

  const noteRefusal = (connection: RefusedConnection): void => {
    refused++;
    const { host, port, method, sentence } = connection;
    log('warn', { event: 'egress_refused', host, port, method }, sentence);
  };

  const bringUp = async (): Promise<RunningGateway> => {
    const [image, inside, outside] = await Promise.all([
      findGatewayImage(engine, given, env, signal, () =>
        log('info', {}, 'The image of the isolation gateway is fetched, once.'),
      ),
      ensureNetwork(engine, layout.inside),
      ensureNetwork(engine, layout.outside),
    ]);
    const facts = await collectHostFacts(engine, inside, outside);
    const id = await engine.createContainer(planGateway(plan, layout, image, facts));
    return start(engine, id, layout.gatewayName, log, noteRefusal);
  };

  if (plan.profile.privileged) {
    log(
      'warn',
      {},
      'The profile makes the server privileged: a privileged container can undo its isolation.',
    );
  }
  await removeIsolation(engine, plan.name, owner);
  try {
    running = await bringUp();
  } catch (error) {
    await removeIsolation(engine, plan.name, owner).catch((failure: unknown) =>
      log('warn', { cause: messageOf(failure) }, 'What was created of the isolation could not be removed.'),
    );
    throw error;
  }

  const repair = async (): Promise<void> => {
    const info = running && (await engine.inspectContainer(running.id));
    // The streams of its output end when the engine goes away, so they are always opened anew after that.
    if (info?.running && running && info.startedAt === running.info.startedAt && !running.output.ended())
      return;
    running?.output.stop();
    await Promise.all([ensureNetwork(engine, layout.inside), ensureNetwork(engine, layout.outside)]);
    if (info) await engine.removeContainer(info.id);
    running = await bringUp();
    log('info', { gateway: running.id.slice(0, 12) }, 'The isolation gateway runs again.');
  };

  return {
    isolated: true,
    server: layout.server,
    targetFor: () => {
      const port =
        layout.targetIngress === undefined ? undefined : running?.info.publishedPorts[layout.targetIngress];
      return findTarget(plan, port);
    },
    afterServerStart: async () => {},
    refusals: () => refused,
    repair: () => {
      if (closed) return Promise.resolve();
      repairing ??= repair().finally(() => {
        repairing = undefined;
      });
      return repairing;
    },
    close: async () => {
      closed = true;
      await repairing?.catch(() => {});
      running?.output.stop();
      running = undefined;
      await removeIsolation(engine, plan.name, owner);
    },
  };
}

async function start(
  engine: Engine,
  id: string,
  name: string,
  log: IsolationContext['log'],
  onRefusal: (connection: RefusedConnection) => void,
): Promise<RunningGateway> {
  await engine.startContainer(id);
  const output = await followGateway(engine, id, log, onRefusal);
  const slow = timeout(READY_TIMEOUT);
  try {
    await Promise.race([output.ready, slow.expired]);
    const info = await engine.inspectContainer(id);
    if (!info?.running) throw new Error('it ended at once');
    return { id, info, output };
  } catch (cause) {
    output.stop();
    throw new BerthError(
      'gateway_failed',
      `The isolation gateway ${name} did not start: ${messageOf(cause)}`,
      {
        fix: 'The image has to have squid and haproxy (or socat) in its PATH; BERTH_GATEWAY_IMAGE names another.',
        cause,
      },
    );
  } finally {
    slow.clear();
  }
}

function timeout(ms: number): { readonly expired: Promise<never>; clear(): void } {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no connection was taken within ${ms / 1000} s`)), ms);
  });
  return { expired, clear: () => clearTimeout(timer) };
}
