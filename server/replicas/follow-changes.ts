import { messageOf } from '../../sources/errors.ts';
import { readDeclarations } from '../declared-records.ts';
import type { Log } from '../observe/log.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { OverlayChange } from '../overlay/postgres/overlay-change.ts';
import type { ReplicaLink } from '../overlay/postgres/replica-link.ts';
import type { RegistryService } from '../registry-service.ts';
import { SYNC_REQUEST_RECORD } from './share-sources.ts';

/**
 * Takes over what other processes of the registry change: published entries, sources and registries made through the
 * API, bundles, and requests to sync (contract 10).
 * @returns stops listening
 */
export function followChanges(
  link: ReplicaLink,
  overlay: Overlay,
  service: RegistryService,
  log: Log,
): () => Promise<void> {
  const readDeclared = async () => service.takeOver(await readDeclarations(overlay.store));
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
