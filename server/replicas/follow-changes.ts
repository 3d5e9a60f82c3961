import { messageOf } from '../../sources/errors.ts';
import { readDeclarations } from '../declared-records.ts';
import type { Log } from '../observe/log.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { OverlayChange } from '../overlay/postgres/overlay-change.ts';
import type { RegistryService } from '../registry-service.ts';
import type { ChangeLink } from '../server-role.ts';
import { SYNC_REQUEST_RECORD, SYNC_STATUS_RECORD } from './share-sources.ts';

/**
 * Takes over what other processes of the registry change: published entries, sources and registries made through the
 * API, bundles, how fetching went, and requests to sync (contract 10).
 * @returns stops listening
 */
export function followChanges(
  link: ChangeLink,
  overlay: Overlay,
  service: RegistryService,
  log: Log,
): () => Promise<void> {
  const readDeclared = inTurn(() => service.takeOver(() => readDeclarations(overlay.store)));
  const onChange = async (change: OverlayChange): Promise<void> => {
    switch (change.kind) {
      case 'entry':
        return overlay.refresh(change);
      case 'source':
        return overlay.refreshSource(change.source);
      case 'bundle':
        return service.follow(change.source);
      case 'record':
        if (change.type === SYNC_REQUEST_RECORD) return service.noticeRequest(change.name);
        if (change.type === SYNC_STATUS_RECORD) return service.followStatus(change.name);
        return readDeclared();
    }
  };
  return link.listenForChanges({
    onChange,
    onGap: async () => {
      log.warn({}, 'changes of other processes may have been missed: everything is read again');
      await overlay.refreshAll();
      await readDeclared();
      for (const { source } of await link.bundles.listCurrent()) {
        await service.follow(source).catch((error: unknown) => log.error({ source }, messageOf(error)));
      }
    },
  });
}

/** One run after the other; who asks while one is under way gets one that starts after it. */
function inTurn(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const own = run();
      running = own.catch(() => undefined);
      return own;
    });
    return next;
  };
}
