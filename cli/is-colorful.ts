/** Whether output may carry colour: at a terminal, unless NO_COLOR is set. */
export function isColorful(stream: object, env: Readonly<Record<string, string | undefined>>): boolean {
  return isTerminal(stream) && !env.NO_COLOR && env.TERM !== 'dumb';
}

export function isTerminal(stream: object): boolean {
  return 'isTTY' in stream && stream.isTTY === true;
}
