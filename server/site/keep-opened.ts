/**
 * Opens once for all who ask; a failure is not kept, so that the next one tries again.
 * @param open called when nothing is open
 */
export function keepOpened<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}
