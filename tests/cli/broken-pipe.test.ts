import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { endQuietlyOnBrokenPipe } from '../../cli/broken-pipe.ts';

class Ended extends Error {}

function makeProcess({ listeners = 0 } = {}) {
  const did: unknown[] = [];
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  endQuietlyOnBrokenPipe({
    stdout,
    stderr,
    pid: 12,
    listenerCount: () => listeners,
    exit: (code) => {
      did.push(['exit', code]);
      throw new Ended();
    },
    kill: (pid, signal) => did.push(['kill', pid, signal]),
  });
  const fail = (stream: PassThrough, code: string) => {
    try {
      stream.emit('error', Object.assign(new Error(code), { code }));
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
    }
  };
  return { did, stdout, stderr, fail };
}

describe('output that cannot be written', () => {
  it('ends the process without a word when the reader of standard output has gone', () => {
    const { did, stdout, stderr, fail } = makeProcess();
    fail(stdout, 'EPIPE');
    expect(did).toEqual([['exit', undefined]]);
    expect(stderr.read()).toBeNull();
  });

  it('asks, once, what clears up after itself to end', () => {
    const { did, stdout, fail } = makeProcess({ listeners: 1 });
    fail(stdout, 'EPIPE');
    fail(stdout, 'EPIPE');
    expect(did).toEqual([['kill', 12, 'SIGTERM']]);
  });

  it('says the reason and fails when it is another one', () => {
    const { did, stdout, stderr, fail } = makeProcess({ listeners: 1 });
    fail(stdout, 'ENOSPC');
    expect(did).toEqual([['exit', 1]]);
    expect(String(stderr.read())).toContain('ENOSPC');
  });

  it('goes on when nobody reads standard error', () => {
    const { did, stderr, fail } = makeProcess();
    fail(stderr, 'EPIPE');
    expect(did).toEqual([]);
  });
});
