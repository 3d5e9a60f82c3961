import { BerthError } from '../../sources/errors.ts';

const SIGNALS: Readonly<Record<number, string>> = {
  134: 'SIGABRT',
  137: 'SIGKILL',
  139: 'SIGSEGV',
  143: 'SIGTERM',
};

/** That the server ended by itself. */
export function describeExit(exitCode: number | undefined, outOfMemory = false): BerthError {
  if (outOfMemory) {
    return new BerthError('server_exited', 'The server ran out of memory and was ended.', {
      fix: 'Give it more with --memory.',
    });
  }
  const signal = exitCode === undefined ? undefined : SIGNALS[exitCode];
  const how = exitCode === undefined ? '' : ` with exit code ${exitCode}${signal ? ` (${signal})` : ''}`;
  return new BerthError('server_exited', `The server ended${how}.`, {
    fix: 'Its last lines say why; check its arguments, variables and secrets.',
  });
}
