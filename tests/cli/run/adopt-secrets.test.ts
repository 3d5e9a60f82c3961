import { describe, expect, it } from 'vitest';
import { adoptSecrets } from '../../../cli/run/adopt-secrets.ts';
import { planSchema } from '../../../cli/run/plan.ts';

const PLAN = planSchema.parse({
  schemaVersion: '1',
  name: 'a.b',
  server: { kind: 'remote', url: 'https://mcp.example/' },
  transport: 'streamable-http',
  target: {},
  proxy: {},
  network: {},
  profile: {},
  ignore: {},
  limits: {},
  secrets: { KEY: 'berth.a.b.env.KEY', OWN: 'a-secret-of-the-user' },
  tokenExchange: {
    url: 'https://login.example/token',
    clientSecret: 'berth.a.b.token-exchange-client-secret',
  },
});

describe('an exported plan under another name', () => {
  it('refers to copies of the secrets that were kept for the first', () => {
    const { plan, copies } = adoptSecrets(PLAN, 'copy');
    expect(plan.name).toBe('copy');
    expect(plan.secrets).toEqual({ KEY: 'berth.copy.env.KEY', OWN: 'a-secret-of-the-user' });
    expect(plan.tokenExchange?.clientSecret).toBe('berth.copy.token-exchange-client-secret');
    expect(copies).toEqual(
      new Map([
        ['berth.copy.env.KEY', 'berth.a.b.env.KEY'],
        ['berth.copy.token-exchange-client-secret', 'berth.a.b.token-exchange-client-secret'],
      ]),
    );
  });

  it('stays as it is under its own', () => {
    expect(adoptSecrets(PLAN, 'a.b')).toEqual({ plan: PLAN, copies: new Map() });
  });
});
