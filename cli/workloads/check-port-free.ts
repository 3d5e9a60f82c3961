import { createServer } from 'node:http';
import { bindServer } from '../proxy/bind-server.ts';

/**
 * Finds out early whether the proxy will get its port, before an image is pulled for it.
 * @throws BerthError `proxy_port_busy`, `proxy_port_refused`, `proxy_host_unusable`
 */
export async function checkPortFree(host: string, port: number): Promise<void> {
  const server = createServer();
  await bindServer(server, host, port);
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
