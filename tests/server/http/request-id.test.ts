import { describe, expect, it } from 'vitest';
import { chooseRequestId } from '../../../server/http/request-id.ts';

describe('chooseRequestId', () => {
  it.each(['my-id.42~x', '!', 'y'.repeat(128), '<"\'>&'])('takes over %j', (id) => {
    expect(chooseRequestId(id, () => 'new')).toBe(id);
  });

  it.each([undefined, '', 'y'.repeat(129), 'a b', 'é', 'a\tb', 'a\u007f', 'a\n'])('replaces %j', (id) => {
    expect(chooseRequestId(id, () => 'new')).toBe('new');
  });

  it('makes ids that it would itself accept, each a new one', () => {
    const [first, second] = [chooseRequestId(undefined), chooseRequestId(undefined)];
    expect(first).not.toBe(second);
    expect(chooseRequestId(first, () => 'new')).toBe(first);
  });
});
