import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../server/http/problem.ts';
import { BerthError } from '../../../sources/errors.ts';
import { connectChannels } from './connect-channels.ts';

describe('a channel between processes', () => {
  it('answers each call with its own value, whichever is done first', async () => {
    const releases: (() => void)[] = [];
    const { toA } = connectChannels(
      {
        slow: (text: string) => new Promise<string>((resolve) => releases.push(() => resolve(`${text}!`))),
        fast: async (text: string) => text,
      },
      {},
    );
    const slow = toA.call('slow', 'first');
    expect(await toA.call('fast', 'second')).toBe('second');
    for (const release of releases) release();
    expect(await slow).toBe('first!');
  });

  it('keeps members that are undefined, and maps', async () => {
    const { toA } = connectChannels({ echo: async (value: unknown) => value }, {});
    const value = { gone: undefined, map: new Map([['a', 1]]) };
    const got = await toA.call('echo', value);
    expect(got).toStrictEqual(value);
  });

  it('carries errors with status, code, headers and place', async () => {
    const { toA } = connectChannels(
      {
        refuse: async () => {
          throw new HttpError(503, 'store_unavailable', 'The store is full.', {
            headers: { 'Retry-After': '5' },
          });
        },
        complain: async () => {
          throw new BerthError('address_in_use', 'Taken.', { at: { flag: '--address' }, fix: 'Stop it.' });
        },
        fail: async () => {
          throw new TypeError('odd');
        },
      },
      {},
    );
    const refused = await toA.call('refuse').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(HttpError);
    expect(refused).toMatchObject({
      status: 503,
      code: 'store_unavailable',
      headers: { 'Retry-After': '5' },
    });
    const complained = await toA.call('complain').catch((error: unknown) => error);
    expect(complained).not.toBeInstanceOf(HttpError);
    expect(complained instanceof BerthError && complained.describe()).toBe('--address: Taken. Stop it.');
    await expect(toA.call('fail')).rejects.toMatchObject({ code: 'internal_error', message: 'odd' });
  });

  it('fails what waits for a process that is gone, and what is asked of it later', async () => {
    const { toA, cut } = connectChannels({ never: () => new Promise<void>(() => undefined) }, {});
    const waiting = toA.call('never');
    cut();
    await expect(waiting).rejects.toMatchObject({ status: 503, code: 'store_unavailable' });
    await expect(toA.call('never')).rejects.toMatchObject({ status: 503, code: 'store_unavailable' });
  });

  it('calls nothing but the operations it was given', async () => {
    const own = { known: async () => 1 };
    const { toA } = connectChannels<typeof own & { toString(): Promise<unknown> }, object>(own as never, {});
    await expect(toA.call('toString')).rejects.toThrow('there is no operation toString');
  });
});
