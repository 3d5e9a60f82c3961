import { describe, expect, it } from 'vitest';
import {
  type DatabaseConfig,
  describeDatabase,
  readConnectionSettings,
  readMigrationSettings,
} from '../../../../server/overlay/postgres/connection-settings.ts';
import { proves } from '../../../requirements/proves.ts';

function read(config: DatabaseConfig) {
  return readConnectionSettings(config, '/etc/berth');
}

describe('readConnectionSettings', () => {
  it('reads the fields, with defaults for those that are absent', () => {
    expect(read({ user: 'app' })).toEqual({
      host: 'localhost',
      port: 5432,
      user: 'app',
      database: 'app',
      password: undefined,
      sslMode: 'prefer',
      caFile: undefined,
      maxConnections: 10,
      keptConnections: 0,
      maxLifetime: undefined,
    });
    expect(
      read({
        user: 'u',
        host: 'h',
        port: 1,
        database: 'd',
        passwordFile: 'p',
        sslMode: 'require',
        maxOpenConns: 3,
      }),
    ).toMatchObject({
      host: 'h',
      port: 1,
      database: 'd',
      password: { file: '/etc/berth/p' },
      sslMode: 'require',
      maxConnections: 3,
    });
  });

  it(`${proves('C-2-54', 'C-12.1-05')} reads a url with its encryption`, () => {
    expect(
      read({ url: 'postgres://us%40er:p%2Fw%3F@db.example:6432/my%20data?sslmode=disable' }),
    ).toMatchObject({
      host: 'db.example',
      port: 6432,
      user: 'us@er',
      password: 'p/w?',
      database: 'my data',
      sslMode: 'disable',
    });
    expect(read({ url: 'postgresql://u@[::1]/d?sslmode=verify-full&sslrootcert=ca.pem' })).toMatchObject({
      host: '::1',
      port: 5432,
      sslMode: 'verify-full',
      caFile: '/etc/berth/ca.pem',
    });
    expect(read({ url: 'postgres:///d?host=/run/postgresql&user=u' })).toMatchObject({
      host: '/run/postgresql',
      user: 'u',
      database: 'd',
    });
  });

  it('lets fields win over the url, so that a secret can come from elsewhere', () => {
    const url = 'postgres://u:old@h:1/d?sslmode=disable';
    expect(read({ url, password: 'new', host: 'other', sslMode: 'require' })).toMatchObject({
      password: 'new',
      host: 'other',
      port: 1,
      sslMode: 'require',
    });
    expect(read({ url, passwordFile: '/run/secret' })).toMatchObject({ password: { file: '/run/secret' } });
  });

  it.each([
    [{}, /no user/],
    [{ host: 'h' }, /no user/],
    [{ url: 'mysql://u@h/d' }, /no PostgreSQL URL/],
    [{ url: 'h:5432/d' }, /no PostgreSQL URL/],
    [{ url: 'postgres://u:hidden@h1:1,h2:2/d' }, /no PostgreSQL URL/],
    [{ url: 'postgres://u:hidden@h/d?sslmode=no-verify' }, /sslmode=no-verify/],
    [{ url: 'postgres://u:hidden@h/d?sslmod=disable' }, /parameter sslmod/],
    [{ url: 'postgres://u:hidden@h/d?port=x' }, /no valid port/],
    [{ url: 'postgres://u:hid%den@h/d' }, /percent sign/],
  ] as const)('refuses %j without repeating a secret', (config, message) => {
    expect(() => read(config)).toThrow(expect.objectContaining({ code: 'database_invalid' }));
    expect(() => read(config)).toThrow(message);
    expect(() => read(config)).not.toThrow(/hid/);
  });

  it('gives migrations their own user, and never the password of the other one', () => {
    const config = { url: 'postgres://u:p@h/d', migrationUser: 'm' };
    expect(readMigrationSettings(config, '/')).toMatchObject({
      user: 'm',
      password: undefined,
      database: 'd',
    });
    expect(readMigrationSettings({ ...config, migrationPassword: 'q' }, '/')).toMatchObject({
      password: 'q',
    });
    expect(readMigrationSettings({ url: config.url }, '/')).toMatchObject({ user: 'u', password: 'p' });
  });

  it('describes the database without the user and the password', () => {
    expect(describeDatabase(read({ url: 'postgres://u:p@h/d' }))).toBe('d on h:5432');
    expect(describeDatabase(read({ url: 'postgres:///d?host=/run/pg&user=u' }))).toBe('d on /run/pg');
  });
});
