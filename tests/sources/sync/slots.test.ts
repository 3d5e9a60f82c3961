import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSlots } from '../../../sources/sync/slots.ts';

it('lets at most so many works run at once, in order, and every one, failed ones too', async () => {
  const works = fc.array(fc.record({ turns: fc.integer({ min: 1, max: 4 }), fails: fc.boolean() }), {
    maxLength: 20,
  });
  const property = fc.asyncProperty(fc.integer({ min: 1, max: 5 }), works, async (size, list) => {
    const slots = createSlots(size);
    const began: number[] = [];
    let running = 0;
    let most = 0;
    const settled = await Promise.allSettled(
      list.map(({ turns, fails }, index) =>
        slots.take(async () => {
          began.push(index);
          most = Math.max(most, ++running);
          for (let turn = 0; turn < turns; turn++) await Promise.resolve();
          running--;
          if (fails) throw new Error(String(index));
          return index;
        }),
      ),
    );
    expect(began).toEqual(list.map((_, index) => index));
    expect(most).toBe(Math.min(size, list.length));
    expect(settled.map(({ status }) => status === 'rejected')).toEqual(list.map(({ fails }) => fails));
    expect(await slots.take(async () => 'free')).toBe('free');
  });
  await fc.assert(property);
});
