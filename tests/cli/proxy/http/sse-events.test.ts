import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSseSplitter, readSseEvent, replaceSseData } from '../../../../cli/proxy/http/sse-events.ts';

const split = (text: string, sizes: readonly number[]): string[] => {
  const splitter = createSseSplitter();
  const bytes = Buffer.from(text);
  const pieces: string[] = [];
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    pieces.push(...splitter.push(bytes.subarray(at, at + size)).map(String));
    at += size;
  }
  return [...pieces, splitter.rest().toString()].filter((piece) => piece !== '');
};

describe('events of a stream', () => {
  it('loses and adds no byte, however the stream is cut', () => {
    const line = fc.constantFrom(
      'data: a',
      'data:b',
      ': c',
      'id: 1',
      'event: x',
      '',
      'data',
      'retry: 5',
      'data: é\u2028',
    );
    const text = fc
      .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')))
      .map((lines) => lines.map((pair) => pair.join('')).join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(7)), (whole, sizes) => {
        expect(split(whole, sizes).join('')).toBe(whole);
      }),
    );
  });

  it.each(['\n', '\r\n', '\r'])('ends at blank lines with line end %j', (end) => {
    const events = ['data: 1', 'event: x\ndata: 2\ndata: 3'].map((event) =>
      `${event}\n\n`.replaceAll('\n', end),
    );
    const found = split(events.join(''), [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    const data = found
      .map((event) => readSseEvent(Buffer.from(event)).data?.toString())
      .filter((one) => one !== undefined);
    expect(data).toEqual(['1', '2\n3']);
  });

  it('lets comments through at once: they keep connections alive', () => {
    expect(split(': ping\n', [7])).toEqual([': ping\n']);
    const splitter = createSseSplitter();
    expect(splitter.push(Buffer.from(': ping\n')).map(String)).toEqual([': ping\n']);
    expect(splitter.push(Buffer.from('data: 1\n')).map(String)).toEqual([]);
  });

  it('changes the data only', () => {
    const event = Buffer.from(
      ': c\r\nid: 7\r\nevent: message\r\ndata: {"a":\r\ndata: 1}\r\nretry: 5\r\n\r\n',
    );
    const changed = replaceSseData(event, Buffer.from('{"b":2}')).toString();
    expect(changed).toBe(': c\r\nid: 7\r\nevent: message\r\ndata: {"b":2}\r\nretry: 5\r\n\r\n');
    const folded = replaceSseData(Buffer.from('data: x\n\n'), Buffer.from('{\n"b":2}'));
    expect(readSseEvent(folded).data?.toString()).toBe('{\n"b":2}');
  });
});
