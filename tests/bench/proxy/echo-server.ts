import { createServer } from 'node:http';
import { reportHeld } from './report-held.ts';

/** The server of the measurement, as a process of its own: answers every POST with 2 KB of JSON. */
const answer = Buffer.from(
  JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'x'.repeat(1960) }] } }),
);
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) reportHeld(address.port);
});
