import { messageOf } from '../sources/errors.ts';
import type { Audit } from './observe/audit.ts';
import type { Log } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import type { ServiceEvents } from './registry-service.ts';

export interface EventSinks {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly audit: () => Audit | undefined;
}

/** Tells log, metrics and audit what synchronisation does. */
export function recordServiceEvents({ log, metrics, audit }: EventSinks): ServiceEvents {
  return {
    onSynced: (source, status, outcome, durationMs) => {
      metrics.observeSync(
        source.name,
        outcome === 'unchanged' ? 'unchanged' : 'completed',
        durationMs / 1000,
      );
      const { bundle, message } = status;
      log.info(
        { source: source.name, outcome, bundle: bundle?.hash.slice(0, 12), duration_ms: durationMs },
        `source synchronised: ${message}`,
      );
      if (outcome === 'changed') {
        for (const { file, line, reason } of status.rejected)
          log.warn({ source: source.name, file, line }, `entry rejected: ${reason}`);
      }
      audit()?.record({
        type: 'sync.completed',
        outcome: 'success',
        resourceType: 'source',
        resourceName: source.name,
        durationMs,
        details: { outcome, bundle: bundle?.hash },
      });
    },
    onFailed: (source, status, error, durationMs) => {
      metrics.observeSync(source.name, 'failed', durationMs / 1000);
      log.error(
        { source: source.name, code: error.code, attempts: status.attempts },
        `source not synchronised: ${error.describe()}`,
      );
      audit()?.record({
        type: 'sync.failed',
        outcome: 'failure',
        resourceType: 'source',
        resourceName: source.name,
        durationMs,
        details: { code: error.code, message: error.message },
      });
    },
    onSwap: (source, segment, seconds) => {
      metrics.observeSwap(seconds);
      metrics.setEntries(source, 'server', segment.servers.nameCount);
      metrics.setEntries(source, 'skill', segment.skills.nameCount);
    },
    onTrouble: (source, error) => log.error({ source }, messageOf(error)),
  };
}
