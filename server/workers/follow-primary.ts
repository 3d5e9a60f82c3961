import type { SourceSharing } from '../../sources/sync/source-sharing.ts';
import type { Channel } from './channel.ts';
import type { PrimaryCalls } from './process-calls.ts';

/**
 * How a worker shares the work on a source: the primary process fetches all of them into the bundle directory they have
 * in common, so a worker never leads and no bundle is sent.
 */
export function followPrimary(primary: Channel<PrimaryCalls>): SourceSharing {
  const nothing = () => Promise.resolve();
  return {
    tryLead: () => Promise.resolve(undefined),
    pull: () => Promise.resolve(false),
    // Called after an earlier bundle was made current here.
    push: (source) => primary.call('noticeBundle', source),
    // The primary process watches the manifest too.
    pushRollback: nothing,
    askLeader: (source) => primary.call('requestSync', source),
    tellStatus: nothing,
    readStatus: (source) => primary.call('readStatus', source),
    forget: (source) => primary.call('forgetSource', source),
  };
}
