// The worker thread behind `createWorkerCompiler`: one compiler, called by messages.
import { parentPort } from 'node:worker_threads';
import { createCompiler } from './compiler.ts';
import { packError, type WorkerRequest, type WorkerResponse } from './worker-messages.ts';

const port = parentPort;
if (!port) throw new TypeError('the compile worker runs as a worker thread only');
const compiler = createCompiler();

port.on('message', async (request: WorkerRequest) => {
  const { id } = request;
  try {
    if (request.operation === 'load') {
      const loaded = await compiler.load(...request.args);
      const { buffer } = loaded.bytes;
      send({ id, ok: true, value: loaded }, buffer instanceof ArrayBuffer ? [buffer] : []);
    } else if (request.operation === 'refresh') {
      send({ id, ok: true, value: await compiler.refresh(...request.args) });
    } else {
      send({ id, ok: true, value: await compiler.rollback(...request.args) });
    }
  } catch (error) {
    send({ id, ok: false, error: packError(error) });
  }
});

function send(response: WorkerResponse, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(response, transfer);
}
