import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CountRequest, createRateLimit } from '../../../server/http/rate-limit.ts';

function limit(perMinute: number, burst?: number): CountRequest {
  const count = createRateLimit({ perMinute, burst });
  if (!count) throw new Error('no limit was made');
  return count;
}

describe('createRateLimit', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is nothing at all without a configuration', () => {
    expect(createRateLimit(undefined)).toBeUndefined();
  });

  it('refuses what exceeds the burst with 429 and a Retry-After in whole seconds', async () => {
    const count = limit(60, 5);
    for (let i = 0; i < 5; i++) await count('ada', '192.0.2.1');
    await expect(count('ada', '192.0.2.1')).rejects.toMatchObject({
      status: 429,
      code: 'rate_limited',
      headers: { 'Retry-After': '5' },
    });
    vi.advanceTimersByTime(5000);
    await expect(count('ada', '192.0.2.1')).resolves.toBeUndefined();
  });

  it('allows perMinute requests a minute when no burst is given', async () => {
    const count = limit(3);
    for (let i = 0; i < 3; i++) await count('ada', '192.0.2.1');
    await expect(count('ada', '192.0.2.1')).rejects.toMatchObject({ headers: { 'Retry-After': '60' } });
  });

  it('counts each subject apart, whatever its address, and never mixes subjects with addresses', async () => {
    const count = limit(1);
    await count('ada', '192.0.2.1');
    await count('bob', '192.0.2.1');
    await count(undefined, '192.0.2.1');
    await count('192.0.2.1', '192.0.2.9');
    await expect(count('ada', '192.0.2.2')).rejects.toMatchObject({ status: 429 });
  });

  it('counts an anonymous caller by address: IPv4 also when mapped, IPv6 by /64', async () => {
    const count = limit(1);
    await count(undefined, '192.0.2.1');
    await expect(count(undefined, '::ffff:192.0.2.1')).rejects.toMatchObject({ status: 429 });
    await count(undefined, '2001:db8::1');
    await expect(count(undefined, '2001:db8::ffff')).rejects.toMatchObject({ status: 429 });
    await count(undefined, '2001:db8:0:1::1');
    await count(undefined, 'fe80::1%eth0');
    await count(undefined, '');
  });
});
