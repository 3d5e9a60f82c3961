import type { LoadedConfig } from '../sources/config/schema.ts';
import { createAuthenticator, type RecallingAuthenticator } from './auth/authenticator.ts';
import { Consumer } from './consumer/consumer.ts';
import { type CountRequest, createRateLimit } from './http/rate-limit.ts';
import { type Audit, createAudit } from './observe/audit.ts';
import type { Log } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import { Recorder } from './observe/recorder.ts';
import { createTracing, type Tracing } from './observe/tracing.ts';
import { openSessionKeys, type SessionKeys } from './site/sign-in/session-keys.ts';
import type { World } from './view/world.ts';

/** Everything that is derived from the configuration alone; a reload makes the next one and swaps the reference. */
export interface Runtime {
  readonly loaded: LoadedConfig;
  readonly authenticator: RecallingAuthenticator;
  readonly consumer: Consumer;
  readonly countRequest: CountRequest | undefined;
  readonly audit: Audit;
  readonly tracing: Tracing;
  readonly recorder: Recorder;
  /** Of people who sign in to the site; undefined where nobody does. */
  readonly sessionKeys: SessionKeys | undefined;
}

export interface RuntimeDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly world: () => World;
  /** Counts requests where several processes have one limit per caller; this process counts alone when absent. */
  readonly countRequest?: CountRequest | undefined;
}

/**
 * Builds a runtime; parts whose configuration did not change are taken over, so that a reload forgets no token and
 * reopens no file.
 * @throws BerthError when the configuration asks for something that cannot be opened
 */
export async function buildRuntime(
  loaded: LoadedConfig,
  deps: RuntimeDeps,
  before?: Runtime,
): Promise<Runtime> {
  const { config, baseDir } = loaded;
  const { log, metrics, world } = deps;
  const { rateLimit } = config.limits;
  const old = before?.loaded.config;
  const same = (key: 'auth' | 'audit' | 'telemetry' | 'limits') =>
    old !== undefined && JSON.stringify(old[key]) === JSON.stringify(config[key]);
  const sessionKeys = await openSessionKeys(loaded, (message) => log.warn({}, message));
  const authenticator =
    before && same('auth')
      ? before.authenticator
      : createAuthenticator(config.auth, {
          baseDir,
          log: (level, fields, message) => log[level](fields, message),
        });
  const audit = before && same('audit') ? before.audit : await createAudit(config.audit, { log, baseDir });
  const tracing = before && same('telemetry') ? before.tracing : await createTracing(config.telemetry, log);
  if (authenticator !== before?.authenticator) metrics.readTokenCacheHits(() => authenticator.recalls());
  return {
    loaded,
    authenticator,
    audit,
    tracing,
    recorder: new Recorder(audit, metrics, tracing),
    sessionKeys,
    countRequest:
      rateLimit && deps.countRequest
        ? deps.countRequest
        : before && same('limits')
          ? before.countRequest
          : createRateLimit(rateLimit),
    consumer: new Consumer({
      world,
      maxPageSize: config.limits.maxPageSize,
      isPublic: config.auth?.mode === 'anonymous',
    }),
  };
}

/** Closes what the next runtime did not take over. */
export async function retireRuntime(before: Runtime, after: Runtime | undefined): Promise<void> {
  if (before.audit !== after?.audit) await before.audit.close();
  if (before.tracing !== after?.tracing) await before.tracing.close();
}
