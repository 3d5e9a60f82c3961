/**
 * Ends the process when its output cannot be written: without a word when whoever reads it has gone, as `head` does,
 * else with the reason.
 */
export function endQuietlyOnBrokenPipe(owner: NodeJS.Process): void {
  owner.stderr.on('error', () => owner.exit(1));
  owner.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') owner.exit();
    owner.stderr.write(`Standard output cannot be written (${error.code ?? error.message}).\n`);
    owner.exit(1);
  });
}
