export interface ReceivedCookie {
  readonly name: string;
  readonly value: string;
  /** By lower-case name; empty for one without a value. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** Reads a `Set-Cookie` line as a browser does. */
export function readSetCookie(line: string): ReceivedCookie {
  const [pair = '', ...rest] = line.split(';').map((part) => part.trim());
  const split = (text: string): [string, string] => {
    const mark = text.indexOf('=');
    return mark < 0 ? [text, ''] : [text.slice(0, mark), text.slice(mark + 1)];
  };
  const [name, value] = split(pair);
  const attributes = new Map(rest.map((part) => split(part)).map(([key, text]) => [key.toLowerCase(), text]));
  return { name, value, attributes };
}
