import type { Logger } from 'pino';
import { type ServeOptions, startServer } from '../start-server.ts';
import { WORKER_NUMBER } from './worker-number.ts';
import { createWorkerRole, primaryPort } from './worker-role.ts';

/**
 * Serves as a worker of the process that started this one, until that process or a signal wants it to end and requests
 * under way are finished. A worker that cannot start tells why and ends with 1.
 * @param ended settles when the process is asked to end by a signal
 */
export async function serveAsWorker(options: ServeOptions, log: Logger, ended: Promise<void>): Promise<void> {
  const ownLog = log.child({ worker: Number(process.env[WORKER_NUMBER]), worker_pid: process.pid });
  const { role, drained, reportFailure } = createWorkerRole(primaryPort(), ownLog);
  const server = await startServer({ ...options, log: ownLog, role }).catch(async (error: unknown) => {
    await reportFailure(error);
    process.exit(1);
  });
  await Promise.race([ended, drained]);
  await server.close();
}
