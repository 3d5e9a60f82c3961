import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Keyring } from '../../../cli/secrets/keyring.ts';
import { openSecretStore, passwordForChild } from '../../../cli/secrets/open-secret-store.ts';
import { proves } from '../../requirements/proves.ts';
import { makeHome } from './make-home.ts';

const noKeyring: Keyring = {
  read: () => Promise.reject(new Error('no keyring here')),
  write: () => Promise.reject(new Error('no keyring here')),
};

function makeStores() {
  const { directories } = makeHome();
  const open = (env: Record<string, string> = { BERTH_SECRETS_PASSWORD: 'pass word' }, more: object = {}) =>
    openSecretStore({ directories, env, keyring: noKeyring, ...more });
  return { file: join(directories.data, 'secrets.enc'), open };
}

describe('the encrypted secrets file', () => {
  it(`${proves('K-7-01', 'K-8.2-01')} keeps secrets for the next process with nothing but BERTH_SECRETS_PASSWORD`, async () => {
    const { open, file } = makeStores();
    const store = await open();
    expect(store.provider).toBe('encrypted');
    await store.set('token', 'the value \u{1f511}\nsecond line');
    await store.set('__proto__', 'odd');
    const again = await open();
    expect(await again.get('token')).toBe('the value \u{1f511}\nsecond line');
    expect(await again.get('absent')).toBeUndefined();
    expect(await again.list()).toEqual(['__proto__', 'token']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('token');
    const header = JSON.parse(text.split('\n')[0] ?? '');
    expect(header).toMatchObject({ berthSecrets: 1, cipher: 'aes-256-gcm', kdf: { name: 'scrypt' } });
    expect(header.kdf.N).toBeGreaterThanOrEqual(2 ** 15);
  });

  it('takes a fresh nonce for every write', async () => {
    const { open, file } = makeStores();
    const store = await open();
    const nonces = new Set<string>();
    for (const value of ['a', 'a', 'a']) {
      await store.set('same', value);
      nonces.add(JSON.parse(readFileSync(file, 'utf8').split('\n')[0] ?? '').nonce);
    }
    expect(nonces.size).toBe(3);
  });

  it('says whether there was something to remove', async () => {
    const { open } = makeStores();
    const store = await open();
    expect(await store.remove('token')).toBe(false);
    await store.set('token', 'v');
    expect(await store.remove('token')).toBe(true);
    expect(await store.remove('token')).toBe(false);
    expect(await (await open()).list()).toEqual([]);
  });

  it('refuses a wrong password, for reading and for writing', async () => {
    const { open, file } = makeStores();
    await (await open()).set('token', 'v');
    const before = readFileSync(file);
    const other = await open({ BERTH_SECRETS_PASSWORD: 'another' });
    await expect(other.get('token')).rejects.toMatchObject({ code: 'secrets_wrong_password' });
    await expect(other.set('token', 'w')).rejects.toMatchObject({ code: 'secrets_wrong_password' });
    expect(readFileSync(file)).toEqual(before);
  });

  it('notices every change of header and body', async () => {
    const { open, file } = makeStores();
    await (await open()).set('token', 'value-to-hide');
    const text = readFileSync(file, 'utf8');
    const at = text.indexOf('\n') + 3;
    const flipped = text[at] === 'A' ? 'B' : 'A';
    const broken = [
      text.slice(0, at) + flipped + text.slice(at + 1),
      text.replace('"aes-256-gcm"', ' "aes-256-gcm"'),
      text.slice(0, at),
      'not a secrets file',
      '',
    ];
    for (const content of broken) {
      writeFileSync(file, content);
      const failure = (await open()).get('token');
      await expect(failure).rejects.toMatchObject({ code: 'secrets_file_damaged' });
      await expect(failure).rejects.not.toThrow('value-to-hide');
    }
  });

  it('does not follow a forged header into gigabytes of memory', async () => {
    const { open, file } = makeStores();
    await (await open()).set('token', 'v');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"N":\d+/, '"N":1073741824'));
    await expect((await open()).get('token')).rejects.toMatchObject({ code: 'secrets_file_damaged' });
  });

  it('loses nothing when several processes write at once', async () => {
    const { open } = makeStores();
    await (await open()).set('first', '0');
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(names.map(async (name) => (await open()).set(name, name)));
    expect(await (await open()).list()).toEqual([...names, 'first']);
  });

  it('keeps both secrets when two processes create the file', async () => {
    const { open } = makeStores();
    await Promise.all(['a', 'b'].map(async (name) => (await open()).set(name, name)));
    expect(await (await open()).list()).toEqual(['a', 'b']);
  });

  it(`${proves('K-7-02')} takes the password from the environment, else the keyring, else the terminal`, async () => {
    const { open } = makeStores();
    await (await open({ BERTH_SECRETS_PASSWORD: 'p' })).set('token', 'v');
    const keyring: Keyring = { read: async () => 'p', write: async () => {} };
    const fromKeyring = await open({}, { keyring, askPassword: async () => 'unused' });
    expect(passwordForChild(fromKeyring)).toBeUndefined();
    expect(await fromKeyring.get('token')).toBe('v');
    expect(passwordForChild(fromKeyring)).toBe('p');

    const asked: boolean[] = [];
    const askPassword = async (isNew: boolean) => {
      asked.push(isNew);
      return 'p';
    };
    const fromTerminal = await open({}, { askPassword });
    expect(await fromTerminal.get('token')).toBe('v');
    await fromTerminal.set('other', 'w');
    expect(asked).toEqual([false]);
    expect(passwordForChild(fromTerminal)).toBe('p');

    const wins = await open({ BERTH_SECRETS_PASSWORD: 'wrong' }, { keyring });
    await expect(wins.get('token')).rejects.toMatchObject({ code: 'secrets_wrong_password' });
  });

  it('asks for a password only when one is needed, and says what to set where nobody can be asked', async () => {
    const { open } = makeStores();
    const store = await open({});
    expect(await store.get('token')).toBeUndefined();
    expect(await store.list()).toEqual([]);
    expect(await store.remove('token')).toBe(false);
    const failure = store.set('token', 'v');
    await expect(failure).rejects.toMatchObject({
      code: 'secrets_password_missing',
      fix: expect.stringContaining('BERTH_SECRETS_PASSWORD'),
    });
  });
});
