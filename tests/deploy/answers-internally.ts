import { answerInternal } from '../../server/internal/answer-internal.ts';
import { createLog } from '../../server/observe/log.ts';

/** The status the internal server of a healthy service gives a path. */
export async function answersInternally(path: string): Promise<number> {
  const { status } = await answerInternal('GET', path, 'r', {
    log: createLog({ level: 'silent' }),
    readReadiness: () => ({ ready: true, missing: [], notes: [] }),
    version: '0',
    exposeMetrics: async () => ({ contentType: 'text/plain', text: '' }),
  });
  return status;
}
