import { createHmac, timingSafeEqual } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { verifySignature } from '../../../server/hooks/verify-signature.ts';
import { proves } from '../../requirements/proves.ts';

// Time cannot be measured reliably in a test; that the comparison of constant time alone decides can be seen.
vi.mock('node:crypto', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:crypto')>();
  return { ...original, timingSafeEqual: vi.fn(original.timingSafeEqual) };
});
const compare = vi.mocked(timingSafeEqual);
beforeEach(() => void compare.mockClear());

const SECRET = 'the secret';
const BODY = new TextEncoder().encode('{}');
const SIGNED = createHmac('sha256', SECRET).update(BODY).digest('hex');
const verify = (name: string, value: string) =>
  verifySignature((asked) => (asked === name ? value : undefined), BODY, SECRET);

describe('verifySignature', () => {
  it.each([
    ['x-hub-signature-256', `sha256=${SIGNED}`, true],
    ['x-hub-signature-256', `sha256=${'0'.repeat(64)}`, false],
    ['x-hub-signature-256', `sha256=${SIGNED.slice(0, 63)}${SIGNED.endsWith('0') ? '1' : '0'}`, false],
    ['x-gitlab-token', SECRET, true],
    ['x-gitlab-token', 'the secreT', false],
    ['x-gitlab-token', 'x', false],
    ['x-gitlab-token', '', false],
    ['x-gitlab-token', `${SECRET}${'x'.repeat(1000)}`, false],
  ])(`${proves('C-2-64')} compares %s %j in constant time, and by nothing else`, (name, value, right) => {
    expect(verify(name, value)).toBe(right);
    expect(compare).toHaveBeenCalledOnce();
    const [one, other] = compare.mock.calls[0] ?? [];
    expect(one?.byteLength).toBe(32);
    expect(other?.byteLength).toBe(32);
    compare.mockReturnValueOnce(!right);
    expect(verify(name, value)).toBe(!right);
  });
});
