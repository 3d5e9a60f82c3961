import { execFileSync, spawn } from 'node:child_process';
import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';

/** What the tests put on this machine; all of it is gone afterwards. */
export const HOST = {
  /** More of the host's own: a private one, and the resolver containers are given. */
  private: '10.200.77.1',
  deadResolver: '192.0.0.8',
  /** In a network namespace behind a route: public as far as the profile is concerned. */
  public: '198.51.100.10',
  /** The host's own address on that route. */
  ownPublic: '198.51.100.9',
} as const;

/** No larger than it must be: other documentation addresses may be in use around the machine. */
const PREFIX = 30;

const NAMESPACE = 'berth-test-ns';
const VETH = 'berthveth0';

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

function remove(): void {
  for (const args of [
    ['link', 'del', VETH],
    ['netns', 'del', NAMESPACE],
  ]) {
    try {
      ip(...args);
    } catch {
      // It was not there.
    }
  }
}

/** Words that reached a listener of the host, by whatever way. */
export interface HostSide {
  readonly words: readonly string[];
  /** Names a resolver of the host was asked for. */
  readonly asked: readonly string[];
  /** TCP and UDP, on every address of the host. */
  readonly port: number;
  /** Where the public place answers HTTP, and names the path. */
  readonly publicPort: number;
  /** A resolver of this machine, for the gateway. */
  readonly resolver: string;
  close(): Promise<void>;
}

/** @param names what the resolver answers: address by name; others do not exist */
export async function openHostSide(names: Readonly<Record<string, string>>): Promise<HostSide> {
  remove();
  const words: string[] = [];
  const asked: string[] = [];
  ip('netns', 'add', NAMESPACE);
  ip('link', 'add', VETH, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', NAMESPACE);
  ip('addr', 'add', `${HOST.ownPublic}/${PREFIX}`, 'dev', VETH);
  for (const address of [HOST.private, HOST.deadResolver]) ip('addr', 'add', `${address}/32`, 'dev', VETH);
  ip('link', 'set', VETH, 'up');
  const inside = ['netns', 'exec', NAMESPACE, 'ip'];
  ip(...inside, 'addr', 'add', `${HOST.public}/${PREFIX}`, 'dev', 'eth0');
  ip(...inside, 'link', 'set', 'eth0', 'up');
  ip(...inside, 'link', 'set', 'lo', 'up');

  const tcp = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (data) => {
      words.push(String(data));
      socket.end('HTTP/1.0 200 OK\r\n\r\nthe host');
    });
  });
  tcp.listen(0, '::');
  await once(tcp, 'listening');
  const address = tcp.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const udp = dgram.createSocket({ type: 'udp6', ipv6Only: false });
  udp.on('message', (message, from) => {
    words.push(String(message));
    udp.send('the host', from.port, from.address);
  });
  udp.bind(port, '::');
  const resolvers = [HOST.private, HOST.deadResolver].map((host) => openResolver(host, names, asked));
  await Promise.all([once(udp, 'listening'), ...resolvers.map((resolver) => once(resolver, 'listening'))]);

  const script = `require('node:http').createServer((q, a) => a.end('public ' + q.url)).listen(8443, () => console.log('up'))`;
  const place = spawn('ip', ['netns', 'exec', NAMESPACE, process.execPath, '-e', script]);
  await once(place.stdout, 'data');
  return {
    words,
    asked,
    port,
    publicPort: 8443,
    resolver: HOST.private,
    close: async () => {
      place.kill('SIGKILL');
      for (const socket of [udp, ...resolvers]) socket.close();
      tcp.close();
      remove();
    },
  };
}

function openResolver(host: string, names: Readonly<Record<string, string>>, asked: string[]): dgram.Socket {
  const socket = dgram.createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, end } = readQuestion(query);
    asked.push(name);
    const address = names[name];
    const isA = query.readUInt16BE(end) === 1;
    const answer = address !== undefined && isA;
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(address === undefined ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(answer ? 1 : 0, 6);
    const record = Buffer.from([
      0xc0,
      12,
      0,
      1,
      0,
      1,
      0,
      0,
      0,
      0,
      0,
      4,
      ...(address ?? '').split('.').map(Number),
    ]);
    const parts = [head, query.subarray(12, end + 4), ...(answer ? [record] : [])];
    socket.send(Buffer.concat(parts), from.port, from.address);
  });
  socket.bind(53, host);
  return socket;
}

function readQuestion(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}
