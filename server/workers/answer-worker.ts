import type { LoadedConfig } from '../../sources/config/schema.ts';
import type { CountRequest } from '../http/rate-limit.ts';
import type { OpenedStore } from '../overlay/open-store.ts';
import type { EntryKey } from '../overlay/overlay-store.ts';
import type { OverlayChange } from '../overlay/postgres/overlay-change.ts';
import type { RegistryService } from '../registry-service.ts';
import type { ChangeHub, Member } from './change-hub.ts';
import type { PrimaryCalls } from './process-calls.ts';

/** What the primary process has for its workers. */
export interface PrimaryParts {
  readonly store: OpenedStore;
  readonly service: RegistryService;
  readonly loaded: () => LoadedConfig;
  readonly countRequest: () => CountRequest | undefined;
  readonly hub: ChangeHub;
}

type StoreCalls = Omit<PrimaryCalls, 'tellListening' | 'tellFailed'>;

/** The operations of one worker: what it changes is told to the others before it hears that it is done. */
export function answerWorker(parts: PrimaryParts, from: Member): StoreCalls {
  const { store, service, hub } = parts;
  const changeEntry = (key: EntryKey, work: () => Promise<boolean>) =>
    hub.change(from, entryOf(key), work, isTrue);
  return {
    loadEntries: () => store.loadEntries(),
    readEntry: (key) => store.readEntry(key),
    insertVersion: (key, version, claims) =>
      hub.change(
        from,
        entryOf(key),
        () => store.insertVersion(key, version, claims),
        (outcome) => outcome === 'stored',
      ),
    deleteVersion: (key, version) => changeEntry(key, () => store.deleteVersion(key, version)),
    updateStatus: (key, version, change) => changeEntry(key, () => store.updateStatus(key, version, change)),
    replaceClaims: (key, claims) => changeEntry(key, () => store.replaceClaims(key, claims)),
    deleteEntries: (source) =>
      hub.change(
        from,
        { kind: 'source', source },
        () => store.deleteEntries(source),
        (count) => count > 0,
      ),
    putRecord: (kind, name, json) =>
      hub.change(
        from,
        recordOf(kind, name),
        () => store.putRecord(kind, name, json),
        () => true,
      ),
    deleteRecord: (kind, name) =>
      hub.change(from, recordOf(kind, name), () => store.deleteRecord(kind, name), isTrue),
    listRecords: (kind) => store.listRecords(kind),
    probe: () => store.probe(),
    readConfig: async () => parts.loaded(),
    readStatus: async (source) => {
      const status = service.findSource(source)?.status;
      if (!status) return undefined;
      const { phase, lastSyncTime, lastAttemptTime, attempts, message } = status;
      return { phase, lastSyncTime, lastAttemptTime, attempts, message };
    },
    requestSync: async (source) => {
      await service.requestSync(source);
    },
    noticeBundle: async (source) => {
      await service.noticeRollback(source);
      await hub.announceToWorkers({ kind: 'bundle', source }, from);
    },
    forgetSource: (source) => service.forgetSource(source),
    countRequest: async (subject, remoteAddress) => parts.countRequest()?.(subject, remoteAddress),
  };
}

function entryOf({ source, type, name }: EntryKey): OverlayChange {
  return { kind: 'entry', source, type, name };
}

function recordOf(type: string, name: string): OverlayChange {
  return { kind: 'record', type, name };
}

function isTrue(value: boolean): boolean {
  return value;
}
