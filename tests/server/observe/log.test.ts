import { describe, expect, it } from 'vitest';
import { createLog, type LogOptions } from '../../../server/observe/log.ts';
import { BerthError } from '../../../sources/errors.ts';

function capture(options: LogOptions = {}) {
  const lines: string[] = [];
  return {
    lines,
    log: createLog({ output: { write: (line) => lines.push(line) }, pretty: false, ...options }),
  };
}

describe('createLog', () => {
  it('writes one JSON object a line with level, time and message', () => {
    const { lines, log } = capture();
    log.info({ source: 'team', entries: 3 }, 'Synced');
    expect(lines).toHaveLength(1);
    const line = JSON.parse(lines[0] ?? '');
    expect(line).toEqual({
      level: 'info',
      time: expect.any(String),
      source: 'team',
      entries: 3,
      msg: 'Synced',
    });
    expect(new Date(line.time).toISOString()).toBe(line.time);
  });

  it('leaves out what is below the level', () => {
    const { lines, log } = capture({ level: 'WARN' });
    log.info({}, 'quiet');
    log.warn({}, 'loud');
    expect(lines).toHaveLength(1);
    expect(capture({ level: '' }).log.level).toBe('info');
  });

  it('refuses an unknown level and names the variable', () => {
    expect(() => createLog({ level: 'verbose' })).toThrow(
      expect.objectContaining({ code: 'log_level_invalid', at: { flag: 'BERTH_LOG_LEVEL' } }),
    );
  });

  it('lets no secret pass: by key at any depth, in messages, in errors', () => {
    const { lines, log } = capture();
    const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';
    log.warn(
      {
        headers: { Authorization: 'Bearer opaque-4711' },
        config: [{ clientSecret: 'opaque-4711' }],
        cookie: 'opaque-4711',
      },
      `Bearer opaque-4711 at https://user:opaque-4711@git.example/x?access_token=opaque-4711 ${jwt}`,
    );
    log.error({ err: new Error(`refused Bearer opaque-4711 ${jwt}`) }, 'x');
    const text = lines.join('');
    expect(text).not.toContain('opaque-4711');
    expect(text).not.toContain('c2lnbmF0dXJl');
    expect(text).toContain('git.example/x');
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  });

  it('writes our errors with code and place, others with their stack', () => {
    const { lines, log } = capture();
    const cause = new Error('low');
    log.error({ err: new BerthError('x_y', 'Broken.', { at: { file: 'a.yaml', line: 3 }, cause }) }, 'm');
    log.error({ err: cause }, 'm');
    expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
      code: 'x_y',
      message: 'a.yaml:3: Broken.',
      cause: { message: 'low' },
    });
    expect(JSON.parse(lines[1] ?? '').err).toMatchObject({
      type: 'Error',
      message: 'low',
      stack: expect.any(String),
    });
  });

  it('writes one line of text for people', () => {
    const { lines, log } = capture({ pretty: true });
    log.warn({ source: 'team', count: 2, token: 'opaque-4711' }, 'Rejected');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
    const text = (lines[0] ?? '').replace(/\u001b\[\d+m/g, '');
    expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3} WARN {2}Rejected source=team count=2 token=\[redacted\]\n$/);
  });
});
