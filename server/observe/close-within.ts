/**
 * Waits for the end of something that may never end. What fails was reported by itself, and may not keep the process
 * from ending well.
 */
export async function closeWithin(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((done) => {
    timer = setTimeout(done, ms);
  });
  await Promise.race([work.catch(() => undefined), limit]);
  clearTimeout(timer);
}
