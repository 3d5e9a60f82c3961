import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { z } from 'zod';
import { BerthError } from '../../sources/errors.ts';

/** What costs a guess at the password time and memory; the upper bounds keep a forged header from eating the machine. */
const kdfSchema = z.strictObject({
  name: z.literal('scrypt'),
  N: z
    .int()
    .min(2 ** 15)
    .max(2 ** 20)
    .refine((n) => Number.isInteger(Math.log2(n))),
  r: z.int().min(8).max(16),
  p: z.int().min(1).max(4),
  salt: z.base64(),
});
type Kdf = z.infer<typeof kdfSchema>;

const headerSchema = z.strictObject({
  berthSecrets: z.literal(1),
  kdf: kdfSchema,
  /** Tells a wrong password from a damaged file; derived apart from the key that encrypts. */
  check: z.base64(),
  cipher: z.literal('aes-256-gcm'),
  nonce: z.base64(),
});

/** Names and values in the order they were set. An array, because a secret may be called `__proto__`. */
const contentSchema = z.array(z.tuple([z.string(), z.string()]));

const TAG_BYTES = 16;

/** The keys of one password and salt. Deriving them takes a tenth of a second, so a process does it once. */
export interface SealingKey {
  readonly kdf: Kdf;
  readonly encryption: Buffer;
  readonly check: string;
}

/** New keys from a password and a fresh salt, for a file that is not there yet. */
export function createSealingKey(password: string): Promise<SealingKey> {
  return deriveKey(password, {
    name: 'scrypt',
    N: 2 ** 16,
    r: 8,
    p: 1,
    salt: randomBytes(16).toString('base64'),
  });
}

/**
 * The keys of the file that holds `text`.
 * @throws BerthError `secrets_wrong_password`, `secrets_file_damaged`
 */
export async function deriveSealingKey(password: string, text: string, file: string): Promise<SealingKey> {
  const { header } = splitFile(text, file);
  const key = await deriveKey(password, header.kdf);
  if (!isSame(key.check, header.check)) {
    throw new BerthError('secrets_wrong_password', 'The password does not open the secrets.', {
      at: { file },
      fix: 'Give the password they were set with, in BERTH_SECRETS_PASSWORD or with "berth secret setup".',
    });
  }
  return key;
}

/** Whether the key is that of the file; another process may have made the file anew. */
export function isKeyOf(key: SealingKey, text: string, file: string): boolean {
  const { header } = splitFile(text, file);
  return header.kdf.salt === key.kdf.salt && isSame(key.check, header.check);
}

/** Encrypts secrets under a fresh nonce; the header is authenticated with them. */
export function sealSecrets(secrets: ReadonlyMap<string, string>, key: SealingKey): string {
  const nonce = randomBytes(12);
  const header = JSON.stringify({
    berthSecrets: 1,
    kdf: key.kdf,
    check: key.check,
    cipher: 'aes-256-gcm',
    nonce: nonce.toString('base64'),
  });
  const cipher = createCipheriv('aes-256-gcm', key.encryption, nonce);
  cipher.setAAD(Buffer.from(header));
  const sealed = [cipher.update(JSON.stringify([...secrets])), cipher.final(), cipher.getAuthTag()];
  return `${header}\n${Buffer.concat(sealed).toString('base64')}\n`;
}

/** @throws BerthError `secrets_file_damaged` for anything that is not exactly what `sealSecrets` wrote */
export function openSealed(text: string, key: SealingKey, file: string): Map<string, string> {
  const { header, headerText, body } = splitFile(text, file);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.encryption, Buffer.from(header.nonce, 'base64'), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(headerText));
    decipher.setAuthTag(body.subarray(-TAG_BYTES));
    const plain = Buffer.concat([decipher.update(body.subarray(0, -TAG_BYTES)), decipher.final()]);
    return new Map(contentSchema.parse(JSON.parse(plain.toString('utf8'))));
  } catch {
    // The cause could quote what was decrypted.
    throw damaged(file);
  }
}

function splitFile(text: string, file: string) {
  const [headerText = '', bodyText = ''] = text.split('\n');
  const body = Buffer.from(bodyText, 'base64');
  let json: unknown;
  try {
    json = JSON.parse(headerText);
  } catch {
    throw damaged(file);
  }
  const { success, data } = headerSchema.safeParse(json);
  if (success && body.length >= TAG_BYTES) return { header: data, headerText, body };
  const version = z.looseObject({ berthSecrets: z.number() }).safeParse(json).data?.berthSecrets;
  if (version !== undefined && version > 1) {
    throw new BerthError('secrets_file_newer', 'The secrets were written by a newer version of berth.', {
      at: { file },
      fix: 'Update berth.',
    });
  }
  throw damaged(file);
}

async function deriveKey(password: string, kdf: Kdf): Promise<SealingKey> {
  const { N, r, p, salt } = kdf;
  // The same password typed on machines that compose characters differently is the same password.
  const both = await runScrypt(password.normalize('NFKC'), Buffer.from(salt, 'base64'), {
    N,
    r,
    p,
    maxmem: 256 * N * r,
  });
  const check = createHmac('sha256', both.subarray(32)).update('berth secrets check').digest();
  return { kdf, encryption: both.subarray(0, 32), check: check.subarray(0, 16).toString('base64') };
}

function runScrypt(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 64, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function damaged(file: string): BerthError {
  return new BerthError('secrets_file_damaged', 'The secrets file is damaged or was tampered with.', {
    at: { file },
    fix: 'Bring it back from a backup, or remove it and set the secrets again.',
  });
}
