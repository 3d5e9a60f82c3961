import type { Server } from 'node:http';
import { BerthError, messageOf } from '../../sources/errors.ts';

/**
 * Listens on a host and port.
 *
 * @param port 0 for any that is free
 * @returns the port
 * @throws BerthError `proxy_port_busy`, `proxy_port_refused`, `proxy_host_unusable`
 */
export function bindServer(server: Server, host: string, port: number): Promise<number> {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => reject(explain(error, host, port));
    server.once('error', onError);
    server.listen({ host: bare, port }, () => {
      server.off('error', onError);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): BerthError {
  if (error.code === 'EADDRINUSE') {
    return new BerthError('proxy_port_busy', `Port ${port} on ${host} is in use already.`, {
      at: { flag: '--proxy-port' },
      fix: 'Choose another port, or leave --proxy-port out to get a free one.',
      cause: error,
    });
  }
  if (error.code === 'EACCES') {
    return new BerthError('proxy_port_refused', `Port ${port} on ${host} may not be listened on.`, {
      at: { flag: '--proxy-port' },
      fix: 'Choose a port above 1023.',
      cause: error,
    });
  }
  return new BerthError('proxy_host_unusable', `The proxy cannot listen on ${host} (${messageOf(error)}).`, {
    at: { flag: '--host' },
    fix: 'Give an address of this machine, or a name that stands for one.',
    cause: error,
  });
}
