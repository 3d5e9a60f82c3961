// Runs inside the container of the server: tries every way out it is told and prints what came of each.
import dgram from 'node:dgram';
import dns from 'node:dns';
import net from 'node:net';

const LIMIT = 2500;

function tcp({ host, port, word }) {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port });
    let got = '';
    let connected = false;
    const end = (error) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ ok: connected, got, error });
    };
    const timer = setTimeout(() => end('timeout'), LIMIT);
    socket.on('connect', () => {
      connected = true;
      socket.write(`GET /${word} HTTP/1.0\r\n\r\n`);
    });
    socket.on('data', (data) => {
      got += data;
    });
    socket.on('error', (error) => end(error.code));
    socket.on('close', () => end());
  });
}

function udp({ host, port, word }) {
  return new Promise((resolve) => {
    const socket = dgram.createSocket(net.isIPv6(host) ? 'udp6' : 'udp4');
    const end = (result) => {
      clearTimeout(timer);
      try {
        socket.close();
      } catch {}
      resolve(result);
    };
    const timer = setTimeout(() => end({ ok: false, error: 'no answer' }), 700);
    socket.on('message', (message) => end({ ok: true, got: String(message) }));
    socket.on('error', (error) => end({ ok: false, error: error.code }));
    socket.send(word, port, host, (error) => error && end({ ok: false, error: error.code }));
  });
}

async function look({ name, server }) {
  const limit = new Promise((_, reject) => setTimeout(() => reject(new Error('timeout')), LIMIT));
  try {
    if (server === undefined) {
      const found = await Promise.race([dns.promises.lookup(name, { all: true }), limit]);
      return { ok: true, got: JSON.stringify(found) };
    }
    const resolver = new dns.promises.Resolver({ timeout: 700, tries: 1 });
    resolver.setServers([server]);
    return { ok: true, got: JSON.stringify(await Promise.race([resolver.resolve4(name), limit])) };
  } catch (error) {
    return { ok: false, error: error.code ?? error.message };
  }
}

function throughProxy({ request, word }) {
  const proxy = new URL(process.env.HTTP_PROXY);
  const tunnel = request.startsWith('CONNECT ');
  return new Promise((resolve) => {
    const socket = net.connect(Number(proxy.port), proxy.hostname);
    let got = '';
    let asked = false;
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      const status = Number(/^HTTP\/1\.\d (\d+)/.exec(got)?.[1] ?? 0);
      resolve({ ok: status >= 200 && status < 300, status, got: got.slice(0, 4000) });
    };
    const timer = setTimeout(end, 6000);
    socket.on('connect', () => {
      socket.write(`${request} HTTP/1.1\r\nHost: elsewhere.example.test\r\nConnection: close\r\n\r\n`);
    });
    socket.on('data', (data) => {
      got += data;
      if (tunnel && !asked && /^HTTP\/1\.\d 200/.test(got)) {
        asked = true;
        socket.write(`GET /${word} HTTP/1.0\r\n\r\n`);
      }
    });
    socket.on('error', end);
    socket.on('close', end);
  });
}

const ways = { tcp, udp, dns: look, proxy: throughProxy };
const targets = JSON.parse(process.argv[1] ?? process.argv[2]);
const results = await Promise.all(targets.map((target) => ways[target.way](target)));
console.log(JSON.stringify(results));
