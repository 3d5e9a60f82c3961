import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AuditEvent, outcomeOf } from '../../../server/observe/audit-event.ts';
import { formatAuditLine } from '../../../server/observe/audit-line.ts';
import { proves } from '../../requirements/proves.ts';

const options = {
  auditId: 'id-1',
  loggedAt: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  includeRequestData: true,
  maxDataSize: 64,
};
const bytes = (value: unknown) =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

function format(event: Partial<AuditEvent>, rest: Partial<typeof options> = {}) {
  const base: AuditEvent = { type: 'server.read', outcome: 'success', remoteAddress: '192.0.2.1' };
  const line = formatAuditLine({ ...base, ...event }, { ...options, ...rest });
  expect(line.indexOf('\n')).toBe(line.length - 1);
  return JSON.parse(line);
}

describe('formatAuditLine', () => {
  it(`${proves('C-11-01')} has exactly the members of the contract`, () => {
    const line = format({
      type: 'server.read',
      outcome: outcomeOf(200),
      userAgent: 'u'.repeat(600),
      subject: 'ada',
      roles: ['manageEntries'],
      method: 'GET',
      path: '/registry/main/v0.1/servers/com.example%2Fa/versions/latest',
      registry: 'main',
      resourceType: 'server',
      resourceName: 'com.example/a',
      version: '1.0.0',
      durationMs: 1.23456,
      responseBytes: 321,
      requestId: 'r-1',
    });
    expect(line).toEqual({
      audit_id: 'id-1',
      type: 'server.read',
      logged_at: '2026-01-02T03:04:05.006Z',
      outcome: 'success',
      component: 'berth',
      source: { type: 'network', value: '192.0.2.1', extra: { user_agent: 'u'.repeat(512) } },
      subjects: { sub: 'ada', roles: ['manageEntries'] },
      target: {
        method: 'GET',
        path: '/registry/main/v0.1/servers/com.example%2Fa/versions/latest',
        registry: 'main',
        resource_type: 'server',
        resource_name: 'com.example/a',
        version: '1.0.0',
      },
      metadata: { duration_ms: 1.235, response_bytes: 321, request_id: 'r-1' },
    });
  });

  it('names a caller without a token anonymous, and the service itself berth', () => {
    expect(format({}).subjects).toEqual({ sub: 'anonymous', roles: [] });
    const sync = format({
      type: 'sync.failed',
      remoteAddress: undefined,
      details: { message: 'x', token: 'abc' },
    });
    expect(sync.subjects).toEqual({ sub: 'berth', roles: [] });
    expect(sync.source).toEqual({ type: 'local', value: 'berth', extra: {} });
    expect(sync.data).toEqual({ message: 'x', token: '[redacted]' });
  });

  it.each([
    [200, 'success'],
    [304, 'success'],
    [400, 'failure'],
    [401, 'denied'],
    [403, 'denied'],
    [404, 'failure'],
    [409, 'failure'],
    [500, 'error'],
    [504, 'error'],
  ])('calls status %i %s', (status, outcome) => expect(outcomeOf(status)).toBe(outcome));

  it(`${proves('C-2-68')} writes request data only when asked to, without its secrets`, () => {
    const requestBody = bytes({ claims: { team: 'a' }, password: 'hunter2' });
    expect(format({ requestBody }).data).toEqual({ claims: { team: 'a' }, password: '[redacted]' });
    expect(format({ requestBody }, { includeRequestData: false })).not.toHaveProperty('data');
    expect(format({ requestBody: new Uint8Array() })).not.toHaveProperty('data');
  });

  it('redacts before it cuts, so that no half secret remains', () => {
    const requestBody = bytes({ password: `hunter2${'x'.repeat(500)}`, text: 'y'.repeat(500) });
    const { data } = format({ requestBody });
    expect(data).toBe(`{"password":"[redacted]","text":"${'y'.repeat(31)}`);
    expect(format({ requestBody }, { maxDataSize: 0 }).data).toBe('');
  });

  it(`${proves('C-2-68')} cuts at whole characters and never over the size`, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(80), (text, maxDataSize) => {
        const { data } = format({ requestBody: bytes({ text }) }, { maxDataSize });
        const whole = JSON.stringify({ text });
        if (Buffer.byteLength(whole) <= maxDataSize) {
          expect(data).toEqual(JSON.parse(whole));
          return;
        }
        expect(Buffer.byteLength(data)).toBeLessThanOrEqual(maxDataSize);
        expect(Buffer.byteLength(data)).toBeGreaterThan(maxDataSize - 4);
        expect(Buffer.from(whole).toString().startsWith(data)).toBe(true);
      }),
    );
  });

  it('tells only the size of a body it cannot redact', () => {
    expect(format({ requestBody: bytes('password=hunter2') }).data).toBe('[16 bytes that are not JSON]');
  });
});
