import { request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import type { EngineAddress } from './candidate.ts';

/**
 * Asks whether an engine answers.
 *
 * @returns undefined when it does, else why not, as the end of a sentence that starts with its address
 */
export function pingEngine(address: EngineAddress, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const where =
      address.kind === 'socket'
        ? { socketPath: address.path }
        : { host: address.host, port: address.port, ...address.tls };
    const send = address.kind === 'tcp' && address.tls ? requestSecurely : request;
    const timer = setTimeout(() => {
      asking.destroy();
      resolve(`no answer within ${timeoutMs / 1000} s`);
    }, timeoutMs);
    const asking = send({ ...where, path: '/_ping', agent: false }, (answer) => {
      clearTimeout(timer);
      answer.resume();
      resolve(answer.statusCode === 200 ? undefined : `answered ${answer.statusCode} to /_ping`);
    });
    asking.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      resolve(explain(error));
    });
    asking.end();
  });
}

function explain(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return 'no such socket';
  if (error.code === 'EACCES' || error.code === 'EPERM') return 'permission denied';
  if (error.code === 'ECONNREFUSED') return 'nothing listens there';
  return error.code ?? error.message;
}
