import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSecretStore } from '../../../cli/secrets/open-secret-store.ts';
import { requireSecret } from '../../../cli/secrets/require-secret.ts';
import { proves } from '../../requirements/proves.ts';
import { makeHome } from './make-home.ts';

describe('secrets from the environment', () => {
  it(`${proves('K-7-03', 'K-8.2-02')} reads BERTH_SECRET_<NAME>, as written or in upper case`, async () => {
    const { directories } = makeHome();
    const env = {
      BERTH_SECRETS_PROVIDER: 'environment',
      BERTH_SECRET_github_token: 'exact',
      BERTH_SECRET_GITHUB_TOKEN: 'upper',
      BERTH_SECRET_API_KEY: 'key',
      BERTH_SECRET_EMPTY: '',
      OTHER: 'no secret',
    };
    const store = await openSecretStore({ directories, env });
    expect(store.provider).toBe('environment');
    expect(await store.get('github_token')).toBe('exact');
    expect(await store.get('github-token')).toBe('upper');
    expect(await store.get('api.key')).toBe('key');
    expect(await store.get('empty')).toBeUndefined();
    expect(await store.get('OTHER')).toBeUndefined();
    expect(await store.list()).toEqual(['API_KEY', 'GITHUB_TOKEN', 'github_token']);
    await expect(store.set('a', 'b')).rejects.toMatchObject({ code: 'secrets_read_only' });
    await expect(store.remove('a')).rejects.toMatchObject({ code: 'secrets_read_only' });
  });

  it('keeps what berth itself has to keep in the encrypted file', async () => {
    const { directories } = makeHome();
    const env = { BERTH_SECRETS_PROVIDER: 'environment', BERTH_SECRETS_PASSWORD: 'p', BERTH_SECRET_A: 'a' };
    const store = await openSecretStore({ directories, env });
    await store.set('berth.refresh', 'token');
    expect(await store.get('berth.refresh')).toBe('token');
    expect(await store.list()).toEqual(['A']);
    const encrypted = await openSecretStore({ directories, env: { BERTH_SECRETS_PASSWORD: 'p' } });
    expect(await encrypted.get('berth.refresh')).toBe('token');
  });

  it(`${proves('K-7-05')} names the secret that is missing`, async () => {
    const { directories } = makeHome();
    for (const provider of ['environment', 'encrypted']) {
      const store = await openSecretStore({ directories, env: { BERTH_SECRETS_PROVIDER: provider } });
      await expect(requireSecret(store, 'not-there')).rejects.toMatchObject({
        code: 'secret_missing',
        message: expect.stringContaining('"not-there"'),
      });
    }
  });

  it('refuses a provider that there is not', async () => {
    const { directories } = makeHome();
    const failure = openSecretStore({ directories, env: { BERTH_SECRETS_PROVIDER: 'enviroment' } });
    await expect(failure).rejects.toMatchObject({
      code: 'secrets_provider_unknown',
      fix: 'Did you mean "environment"?',
    });
  });
});

const OP = `#!/bin/sh
case "$1 $2" in
  "read op://vault/item/field") printf 'from 1password\\n' ;;
  "read op://vault/gone/field") echo '[ERROR] 2026/11/21 10:00:00 could not read secret: "gone" isn'"'"'t an item in the vault' >&2; exit 1 ;;
  "read op://vault/locked/field") echo '[ERROR] you are not currently signed in' >&2; exit 1 ;;
  *) exit 9 ;;
esac
`;

function openWithOp(op?: string) {
  const { path, directories } = makeHome();
  const bin = join(path, 'bin');
  mkdirSync(bin);
  if (op !== undefined) {
    writeFileSync(join(bin, 'op'), op);
    chmodSync(join(bin, 'op'), 0o755);
  }
  const env = { PATH: op === undefined ? bin : `${bin}:/usr/bin:/bin`, BERTH_SECRETS_PROVIDER: '1password' };
  return openSecretStore({ directories, env });
}

describe('secrets from 1Password', () => {
  it(`${proves('K-7-04')} reads references with the op command`, async () => {
    const store = await openWithOp(OP);
    expect(store.provider).toBe('1password');
    expect(await store.get('op://vault/item/field')).toBe('from 1password');
    expect(await store.get('op://vault/gone/field')).toBeUndefined();
    await expect(store.get('op://vault/locked/field')).rejects.toMatchObject({
      code: 'secrets_op_failed',
      message: expect.stringMatching(/op:\/\/vault\/locked\/field.*not currently signed in/),
    });
    await expect(store.get('plain-name')).rejects.toMatchObject({ code: 'secret_reference_invalid' });
    await expect(store.set('a', 'b')).rejects.toMatchObject({ code: 'secrets_read_only' });
    await expect(store.list()).rejects.toMatchObject({ code: 'secrets_no_list' });
  });

  it('says when there is no op command', async () => {
    const store = await openWithOp();
    await expect(store.get('op://vault/item/field')).rejects.toMatchObject({ code: 'secrets_op_missing' });
  });
});
