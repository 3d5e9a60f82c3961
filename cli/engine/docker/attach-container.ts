import { Duplex, PassThrough, pipeline } from 'node:stream';
import { BerthError } from '../../../sources/errors.ts';
import type { AttachedStreams } from '../engine.ts';
import { createDemultiplexer, writePiece } from './demultiplex.ts';
import { ask, type DockerContext } from './docker-context.ts';

/**
 * Attaches to the standard streams of a container that may not have started yet. Both `stdout` and `stderr` must be
 * read, else the container is held up. Ending `stdin` ends the standard input of the container; its output goes on.
 */
export async function attachContainer(context: DockerContext, id: string): Promise<AttachedStreams> {
  const socket = await ask(context, `attach to container ${id.slice(0, 12)}`, () =>
    context.docker
      .getContainer(id)
      .attach({ stream: true, hijack: true, stdin: true, stdout: true, stderr: true }),
  );
  if (!(socket instanceof Duplex)) {
    throw new BerthError('engine_failed', 'The container engine gave no stream to attach to.');
  }
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const apart = createDemultiplexer((piece, isError) => writePiece(isError ? stderr : stdout, piece));
  const closed = new Promise<void>((resolve) => {
    pipeline(socket, apart, () => {
      stdout.end();
      stderr.end();
      socket.destroy();
      resolve();
    });
  });
  // A write to a container that has just ended is no failure of ours; `closed` tells.
  socket.on('error', () => {});
  return { stdin: socket, stdout, stderr, closed, destroy: () => void socket.destroy() };
}
