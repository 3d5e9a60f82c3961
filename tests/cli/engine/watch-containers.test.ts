import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findEngine } from '../../../cli/engine/find-engine.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startFakeEngine } from './fake-engine.ts';

const event = (Action: string, exitCode = '0') =>
  `${JSON.stringify({ Type: 'container', Action, Actor: { ID: 'c1', Attributes: { name: 'n', exitCode, a: 'b' } } })}\n`;

it('reports events, and says when the engine goes away and comes back', async () => {
  const home = makeDirectory();
  const socket = join(home, 'engine.sock');
  const streams: ServerResponse[] = [];
  const answer: Parameters<typeof startFakeEngine>[1] = (request, response) => {
    if (!request.url?.startsWith('/events')) return void response.end('OK');
    response.writeHead(200).flushHeaders();
    streams.push(response);
  };
  const first = await startFakeEngine(socket, answer);
  const engine = await findEngine({ DOCKER_HOST: `unix://${socket}` }, { home });
  const seen: unknown[] = [];
  const watch = engine.watchContainers('l=1', {
    onEvent: ({ action, exitCode, labels }) => seen.push([action, exitCode, labels]),
    onLost: () => seen.push('lost'),
    onBack: () => seen.push('back'),
  });
  await watch.ready;
  // A line in two pieces, one nobody asked for, and the name Podman gives an end.
  streams[0]?.write(event('die', '7').slice(0, 20));
  streams[0]?.write(`${event('die', '7').slice(20)}${event('exec_start')}${event('died', '3')}`);
  await waitUntil(() => seen.length === 2, 'two events');
  expect(seen).toEqual([
    ['die', 7, { a: 'b' }],
    ['die', 3, { a: 'b' }],
  ]);
  await first.stop();
  await waitUntil(() => seen.length === 3, 'the loss');
  await startFakeEngine(socket, answer);
  await waitUntil(() => seen.length === 4, 'the return');
  streams[1]?.write(event('start'));
  await waitUntil(() => seen.length === 5, 'an event after the return');
  expect(seen.slice(2)).toEqual(['lost', 'back', ['start', 0, { a: 'b' }]]);
  watch.stop();
});
