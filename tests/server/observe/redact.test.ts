import { describe, expect, it } from 'vitest';
import { redact } from '../../../server/observe/redact.ts';

describe('redact', () => {
  it('hides secrets by key and keeps what only points at one', () => {
    expect(
      redact({
        password: 'a',
        client_secret: ['a'],
        apiKey: { a: 1 },
        nested: [{ accessToken: 'a', passwordFile: '/run/secret', tokenUrl: 'https://i.example/token' }],
        name: 'server',
        tokens: 12,
      }),
    ).toEqual({
      password: '[redacted]',
      client_secret: '[redacted]',
      apiKey: '[redacted]',
      nested: [
        { accessToken: '[redacted]', passwordFile: '/run/secret', tokenUrl: 'https://i.example/token' },
      ],
      name: 'server',
      tokens: 12,
    });
  });

  it('hides the values of secret inputs of a server.json, and not their description', () => {
    expect(
      redact({
        environmentVariables: [{ name: 'PIN', isSecret: true, default: '1234', description: 'Your PIN' }],
        headers: [
          { name: 'Authorization', value: 'abc' },
          { name: 'X-Region', value: 'eu' },
        ],
      }),
    ).toEqual({
      environmentVariables: [{ name: 'PIN', isSecret: true, default: '[redacted]', description: 'Your PIN' }],
      headers: [
        { name: 'Authorization', value: '[redacted]' },
        { name: 'X-Region', value: 'eu' },
      ],
    });
  });

  it('changes nothing of its argument, keeps __proto__ a plain key and survives deep nesting', () => {
    const value = JSON.parse(`{"__proto__":{"token":"a"},"list":${'['.repeat(5000)}${']'.repeat(5000)}}`);
    const before = Object.keys(value);
    const copy = redact(value);
    expect(JSON.stringify(copy)).toContain('"__proto__":{"token":"[redacted]"}');
    expect(Object.keys(value)).toEqual(before);
  });

  it('takes a moment for a megabyte of anything', () => {
    const texts = [
      'a.'.repeat(500_000),
      '://'.repeat(300_000),
      'Bearer '.repeat(150_000),
      'eyJ'.repeat(300_000),
    ];
    const started = performance.now();
    redact({ texts, ...Object.fromEntries(texts.map((text) => [text, text])) });
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
