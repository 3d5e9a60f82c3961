/** Ends the process without a word when whoever reads its output has gone, as `head` does. */
export function endQuietlyOnBrokenPipe(owner: NodeJS.Process): void {
  for (const stream of [owner.stdout, owner.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') owner.exit();
      throw error;
    });
  }
}
