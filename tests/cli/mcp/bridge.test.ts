import { PassThrough } from 'node:stream';
import { fetch } from 'undici';
import { describe, expect, it } from 'vitest';
import { bridgeStdio } from '../../../cli/mcp/bridge-stdio.ts';
import { HttpLink } from '../../../cli/mcp/http-link.ts';
import { SseLink } from '../../../cli/mcp/sse-link.ts';
import { proves } from '../../requirements/proves.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { answerJson, beginEvents, type Handler, startServer } from './start-server.ts';

const INITIALIZE =
  '{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}';
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const WELCOME = '{"jsonrpc":"2.0","id":"i","result":{"protocolVersion":"2025-11-25","capabilities":{}}}';

function startBridge(url: URL) {
  const input = new PassThrough();
  const lines: string[] = [];
  const warnings: string[] = [];
  const write = (line: string) => {
    lines.push(line);
  };
  const options = { url, headers: { authorization: 'Bearer t' }, fetch, write, retryMs: 10 };
  const link = url.pathname === '/sse' ? new SseLink(options) : new HttpLink(options);
  const done = bridgeStdio({ input, link, write, warn: (line) => warnings.push(line), lingerMs: 2000 });
  return {
    lines,
    warnings,
    send: (...given: string[]) => input.write(`${given.join('\n')}\n`),
    end: () => {
      input.end();
      return done;
    },
    received: (count: number) => waitUntil(() => lines.length >= count, `${count} messages`),
  };
}

/** A server with sessions that answers `initialize`, and leaves the rest to the test. */
async function startSessions(more: Handler) {
  let sessions = 0;
  return startServer((seen, response) => {
    if (seen.body.includes('"initialize"')) {
      sessions += 1;
      answerJson(response, WELCOME, { 'mcp-session-id': `s${sessions}` });
    } else if (seen.body === INITIALIZED) response.writeHead(202).end();
    else if (seen.method === 'DELETE') response.writeHead(204).end();
    else more(seen, response);
  });
}

const noStream: Handler = (_seen, response) => {
  response.writeHead(405).end();
};

describe('the bridge to a server over HTTP', () => {
  it(`${proves('K-1-31')} passes lines and answers byte for byte, in one session`, async () => {
    const odd =
      '{"jsonrpc": "2.0",  "id": 7, "result": {"big":12345678901234567890,"f":1.0,"s":"\\u00e9 \u200d"}}';
    const { origin, seen } = await startSessions((one, response) => {
      if (one.method === 'GET') noStream(one, response);
      else answerJson(response, odd.replace(', "result"', ',\r\n "result"'));
    });
    const bridge = startBridge(new URL(`${origin}/mcp`));
    const call = '{"jsonrpc":"2.0","id":7,  "method":"tools/call","params":{"n":1.0,"t":"\\u00e9"}}';
    bridge.send(INITIALIZE);
    await bridge.received(1);
    bridge.send(INITIALIZED, '', call);
    await bridge.received(2);
    await bridge.end();
    expect(bridge.lines).toEqual([WELCOME, odd]);
    expect(bridge.warnings).toEqual([]);
    const posts = seen.filter(({ method }) => method === 'POST');
    expect(posts.map(({ body }) => body)).toEqual([INITIALIZE, INITIALIZED, call]);
    expect(posts[0]?.headers).not.toHaveProperty('mcp-session-id');
    expect(posts[2]?.headers).toMatchObject({
      'mcp-session-id': 's1',
      'mcp-protocol-version': '2025-11-25',
      authorization: 'Bearer t',
    });
    expect(seen.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 's1' } });
  });

  it('brings what the server says on its own, and the answers of the client to it', async () => {
    const asked = '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}';
    const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
    const { origin, seen } = await startSessions((one, response) => {
      if (one.method === 'GET') beginEvents(response).write(`id: e1\ndata: ${asked}\n\n`);
      else response.writeHead(202).end();
    });
    const bridge = startBridge(new URL(`${origin}/mcp`));
    bridge.send(INITIALIZE, INITIALIZED);
    await bridge.received(2);
    expect(bridge.lines[1]).toBe(asked);
    bridge.send(answer);
    await waitUntil(() => seen.some(({ body }) => body === answer), 'the answer of the client');
    await bridge.end();
  });

  it('passes the events of an answer, and resumes it when the connection breaks', async () => {
    const progress = '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}';
    const answer = '{"jsonrpc":"2.0","id":2,"result":{}}';
    const { origin, seen } = await startSessions((one, response) => {
      if (one.method === 'GET' && one.headers['last-event-id'] === 'e1') {
        beginEvents(response).end(`id: e2\ndata: ${answer}\n\n`);
      } else if (one.method === 'GET') noStream(one, response);
      else beginEvents(response).end(`id: e1\ndata: ${progress}\n\n`);
    });
    const bridge = startBridge(new URL(`${origin}/mcp`));
    bridge.send(INITIALIZE, INITIALIZED, '{"jsonrpc":"2.0","id":2,"method":"tools/call"}');
    await bridge.received(3);
    await bridge.end();
    expect(bridge.lines.slice(1)).toEqual([progress, answer]);
    expect(seen.filter(({ body }) => body.includes('tools/call'))).toHaveLength(1);
  });

  it(`${proves('K-1-31')} begins a lost session again without the client noticing`, async () => {
    const { origin, seen } = await startSessions((one, response) => {
      if (one.headers['mcp-session-id'] === 's1') {
        response
          .writeHead(404)
          .end('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"unknown"}}');
      } else if (one.method === 'GET') noStream(one, response);
      else answerJson(response, `{"jsonrpc":"2.0","id":${JSON.parse(one.body).id},"result":{}}`);
    });
    const bridge = startBridge(new URL(`${origin}/mcp`));
    bridge.send(INITIALIZE, INITIALIZED);
    await bridge.received(1);
    bridge.send('{"jsonrpc":"2.0","id":3,"method":"a"}', '{"jsonrpc":"2.0","id":4,"method":"b"}');
    await bridge.received(3);
    await bridge.end();
    expect(bridge.lines[0]).toBe(WELCOME);
    expect(bridge.lines.slice(1).sort()).toEqual([
      '{"jsonrpc":"2.0","id":3,"result":{}}',
      '{"jsonrpc":"2.0","id":4,"result":{}}',
    ]);
    expect(seen.filter(({ body }) => body === INITIALIZE)).toHaveLength(2);
  });

  it('answers with JSON-RPC errors what cannot be delivered', async () => {
    const { origin } = await startServer(({ body }, response) => {
      if (body.includes('denied')) {
        const error = '{"jsonrpc":"2.0","id":1,"error":{"code":-32003,"message":"no permit"}}';
        response.writeHead(403, { 'content-type': 'application/json' }).end(error);
      } else if (body.includes('batch')) {
        const error = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches"}}';
        response.writeHead(400, { 'content-type': 'application/json' }).end(error);
      } else if (body.includes('broken')) response.destroy();
      else response.writeHead(500).end('oops');
    });
    const bridge = startBridge(new URL(`${origin}/mcp`));
    bridge.send('{"jsonrpc":"2.0","id":1,"method":"denied"}');
    await bridge.received(1);
    bridge.send('{"jsonrpc":"2.0","id":2,"method":"batch-like"}');
    await bridge.received(2);
    bridge.send('{"jsonrpc":"2.0","id":3,"method":"broken"}');
    await bridge.received(3);
    bridge.send('{"jsonrpc":"2.0","id":4,"method":"other"}', '{"jsonrpc":"2.0","method":"lost"}', 'no json');
    await bridge.received(5);
    await bridge.end();
    expect(bridge.lines.slice(0, 2)).toEqual([
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32003,"message":"no permit"}}',
      '{"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"no batches"}}',
    ]);
    const errors = bridge.lines.slice(2).map((line) => JSON.parse(line));
    const codes = Object.fromEntries(errors.map(({ id, error }) => [String(id), error.code]));
    expect(codes).toEqual({ '3': -32000, '4': -32000, null: -32700 });
    expect(bridge.warnings).toHaveLength(1);
  });

  it('adds the headers of revision 2026-07-28 for a client that speaks it', async () => {
    const { origin, seen } = await startServer((_one, response) => {
      answerJson(response, '{"jsonrpc":"2.0","id":1,"result":{}}');
    });
    const bridge = startBridge(new URL(`${origin}/mcp`));
    const meta = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}';
    bridge.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\u00e9cho",${meta}}}`);
    await bridge.received(1);
    await bridge.end();
    expect(seen[0]?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': `=?base64?${Buffer.from('\u00e9cho').toString('base64')}?=`,
    });
    expect(seen.map(({ method }) => method)).toEqual(['POST']);
  });

  it('passes on what was asked before the client ended its input', async () => {
    const { origin } = await startServer((_one, response) => {
      setTimeout(() => answerJson(response, '{"jsonrpc":"2.0","id":1,"result":{}}'), 50);
    });
    const bridge = startBridge(new URL(`${origin}/mcp`));
    bridge.send('{"jsonrpc":"2.0","id":1,"method":"slow"}');
    await bridge.end();
    expect(bridge.lines).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}']);
  });
});

describe('the bridge to a server over SSE', () => {
  it('passes messages, and begins again when the stream is lost', async () => {
    const streams: import('node:http').ServerResponse[] = [];
    const { origin, seen } = await startServer((one, response) => {
      if (one.method === 'GET') {
        streams.push(beginEvents(response));
        response.write(`event: endpoint\ndata: /post?session=${streams.length}\n\n`);
        return;
      }
      response.writeHead(202).end();
      if (one.body === INITIALIZED || one.body.includes('"lost"')) return;
      const { id } = JSON.parse(one.body);
      const answer = id === 'i' ? WELCOME : `{"jsonrpc":"2.0","id":${id},"result":{}}`;
      streams.at(-1)?.write(`event: message\ndata: ${answer}\n\n`);
    });
    const bridge = startBridge(new URL(`${origin}/sse`));
    bridge.send(INITIALIZE, INITIALIZED, '{"jsonrpc":"2.0","id":1,"method":"a"}');
    await bridge.received(2);
    bridge.send('{"jsonrpc":"2.0","id":2,"method":"lost"}');
    await waitUntil(() => seen.some(({ body }) => body.includes('"lost"')), 'the call');
    streams[0]?.destroy();
    await bridge.received(3);
    bridge.send('{"jsonrpc":"2.0","id":3,"method":"b"}');
    await bridge.received(4);
    await bridge.end();
    expect(bridge.lines[0]).toBe(WELCOME);
    expect(bridge.lines[1]).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(JSON.parse(bridge.lines[2] ?? '')).toMatchObject({ id: 2, error: { code: -32000 } });
    expect(bridge.lines[3]).toBe('{"jsonrpc":"2.0","id":3,"result":{}}');
    expect(seen.filter(({ body }) => body === INITIALIZE)).toHaveLength(2);
  });

  it('does not post to another server', async () => {
    const { origin } = await startServer((_one, response) => {
      beginEvents(response).write('event: endpoint\ndata: http://127.0.0.2:1/post\n\n');
    });
    const bridge = startBridge(new URL(`${origin}/sse`));
    bridge.send('{"jsonrpc":"2.0","id":1,"method":"a"}');
    await bridge.received(1);
    expect(bridge.lines[0]).toContain('names another server');
    await bridge.end();
  });
});
