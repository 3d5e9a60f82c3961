/**
 * Whether a command showed what its guide says. `…` stands for what differs from one machine to the next: some text
 * within a line, or any lines when it is alone on one.
 */
export function showsOutput(shown: string, expected: string): boolean {
  const lines = expected.split('\n').map((line) =>
    line.trim() === '…'
      ? '(?:.*\\n)*'
      : `${line
          .split('…')
          .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
          .join('.*')}\\n`,
  );
  return new RegExp(`^${lines.join('')}$`).test(`${shown.trimEnd()}\n`);
}
