import { PassThrough, pipeline, Readable } from 'node:stream';
import { createDemultiplexer, readPieces, writePiece } from './demultiplex.ts';
import { ask, type DockerContext } from './docker-context.ts';

/** More than the engine keeps of a container. */
const LIMIT_BYTES = 64 * 1024 * 1024;

export function readLogs(context: DockerContext, id: string, tail: number): Promise<string> {
  return ask(context, `read the log of container ${id.slice(0, 12)}`, async () => {
    const options = { follow: false as const, stdout: true, stderr: true, ...tailOf(tail) };
    const log = await context.docker.getContainer(id).logs(options);
    return readPieces(Readable.from([log]), LIMIT_BYTES);
  });
}

export async function followLogs(
  context: DockerContext,
  id: string,
  options: { readonly fromStart: boolean },
): Promise<Readable> {
  const log = await ask(context, `follow the log of container ${id.slice(0, 12)}`, () =>
    context.docker
      .getContainer(id)
      .logs({ follow: true, stdout: true, stderr: true, ...tailOf(options.fromStart ? Infinity : 0) }),
  );
  const text = new PassThrough();
  const source = Readable.from(log);
  pipeline(
    source,
    createDemultiplexer((piece) => writePiece(text, piece)),
    () => text.end(),
  );
  text.on('close', () => source.destroy());
  return text;
}

function tailOf(tail: number): { tail?: number } {
  return Number.isFinite(tail) ? { tail } : {};
}
