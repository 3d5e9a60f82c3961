const LF = 10;
const CR = 13;
const COLON = 58;
const SPACE = 32;

/** Cuts a byte stream of server-sent events into whole events, each with its blank line, byte for byte. */
export interface SseSplitter {
  /** The events that are complete now. Lines of comments come at once, as pieces of their own. */
  push(chunk: Buffer): Buffer[];
  /** What came after the last whole event. */
  rest(): Buffer;
}

export function createSseSplitter(): SseSplitter {
  let pending: Buffer[] = [];
  let isLineEmpty = true;
  let isCommentLine = false;
  let hasOnlyComments = true;
  let wasCr = false;
  return {
    push(chunk) {
      const events: Buffer[] = [];
      let from = 0;
      const cut = (to: number): void => {
        const piece = chunk.subarray(from, to);
        events.push(pending.length === 0 ? piece : Buffer.concat([...pending, piece]));
        pending = [];
        from = to;
        hasOnlyComments = true;
      };
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at];
        if (byte === LF && wasCr) {
          // The second half of a line end. What it follows may have been cut off already: it stays with its line.
          wasCr = false;
          if (from === at && pending.length === 0) cut(at + 1);
          continue;
        }
        wasCr = byte === CR;
        if (byte !== LF && byte !== CR) {
          if (isLineEmpty) isCommentLine = byte === COLON;
          if (isLineEmpty && !isCommentLine) hasOnlyComments = false;
          isLineEmpty = false;
          continue;
        }
        const isPairAhead = byte === CR && chunk[at + 1] === LF;
        const end = isPairAhead ? at + 2 : at + 1;
        if (isLineEmpty || (isCommentLine && hasOnlyComments)) {
          cut(end);
          if (isPairAhead) {
            at += 1;
            wasCr = false;
          }
        }
        isLineEmpty = true;
        isCommentLine = false;
      }
      if (from < chunk.length) pending.push(chunk.subarray(from));
      return events;
    },
    rest() {
      const left = Buffer.concat(pending);
      pending = [];
      return left;
    },
  };
}

export interface SseEvent {
  /** `message` when the event names none. */
  readonly type: string;
  /** Lines of data joined by line feeds; undefined when there are none. */
  readonly data: Buffer | undefined;
}

interface Line {
  /** Without its end. */
  readonly content: Buffer;
  readonly end: Buffer;
}

/** Reads type and data of a whole event. */
export function readSseEvent(event: Buffer): SseEvent {
  let type = 'message';
  const data: Buffer[] = [];
  for (const { content } of splitLines(event)) {
    const { name, value } = readField(content);
    if (name === 'event') type = value.toString('utf8') || 'message';
    if (name === 'data') data.push(value);
  }
  if (data.length <= 1) return { type, data: data[0] };
  return {
    type,
    data: Buffer.concat(data.flatMap((line, at) => (at === 0 ? [line] : [Buffer.from('\n'), line]))),
  };
}

/** The same event with other data: one line of it where the first was; all else stays byte for byte. */
export function replaceSseData(event: Buffer, data: Buffer): Buffer {
  const parts: Buffer[] = [];
  let isWritten = false;
  for (const { content, end } of splitLines(event)) {
    if (readField(content).name !== 'data') {
      parts.push(content, end);
    } else if (!isWritten) {
      isWritten = true;
      const text = data.includes(LF) || data.includes(CR) ? foldData(data, end) : data;
      parts.push(Buffer.from('data: '), text, end);
    }
  }
  return Buffer.concat(parts);
}

/** Line feeds between the members of a JSON text become lines of data, which a reader joins again. */
function foldData(data: Buffer, end: Buffer): Buffer {
  return Buffer.from(
    data.toString('utf8').replaceAll(/\r\n|\r|\n/g, `${end.toString('latin1') || '\n'}data: `),
  );
}

function splitLines(event: Buffer): Line[] {
  const lines: Line[] = [];
  let from = 0;
  for (let at = 0; at < event.length; at += 1) {
    if (event[at] !== LF && event[at] !== CR) continue;
    const end = event[at] === CR && event[at + 1] === LF ? at + 2 : at + 1;
    lines.push({ content: event.subarray(from, at), end: event.subarray(at, end) });
    from = end;
    at = end - 1;
  }
  if (from < event.length) lines.push({ content: event.subarray(from), end: Buffer.alloc(0) });
  return lines;
}

function readField(line: Buffer): { name: string; value: Buffer } {
  const colon = line.indexOf(COLON);
  if (colon < 0) return { name: line.toString('latin1'), value: Buffer.alloc(0) };
  const from = line[colon + 1] === SPACE ? colon + 2 : colon + 1;
  return { name: line.subarray(0, colon).toString('latin1'), value: line.subarray(from) };
}
