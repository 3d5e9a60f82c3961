import { readPieces } from './demultiplex.ts';
import { ask, type DockerContext } from './docker-context.ts';

const LIMIT_BYTES = 1024 * 1024;

export function execInContainer(
  context: DockerContext,
  id: string,
  command: readonly string[],
): Promise<{ readonly exitCode: number; readonly output: string }> {
  return ask(context, `run a command in container ${id.slice(0, 12)}`, async () => {
    const exec = await context.docker
      .getContainer(id)
      .exec({ Cmd: [...command], AttachStdout: true, AttachStderr: true });
    const output = await readPieces(await exec.start({ hijack: true, stdin: false }), LIMIT_BYTES);
    const { ExitCode } = await exec.inspect();
    return { exitCode: ExitCode ?? -1, output };
  });
}
