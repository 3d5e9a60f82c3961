import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The network between a process and its database, which can fail in the ways networks do. */
export interface CutNetwork {
  readonly port: number;
  /**
   * `whole`; `no answers`: what is sent arrives, and the connection breaks when it is answered; `silent`: connections
   * stay, and nothing arrives any more.
   */
  state: 'whole' | 'no answers' | 'silent';
}

/** Forwards a port of loopback to another one for as long as the running test. */
export async function startCutNetwork(target: number): Promise<CutNetwork> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    const end = (): void => {
      near.destroy();
      far.destroy();
    };
    near.on('close', end);
    far.on('close', end);
    near.on('data', (data) => {
      if (network.state !== 'silent') far.write(data);
    });
    far.on('data', (data) => {
      if (network.state === 'no answers') end();
      if (network.state === 'whole') near.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('no port');
  const network: CutNetwork = { port: address.port, state: 'whole' };
  return network;
}
