import { CompactEncrypt, compactDecrypt } from 'jose';
import type { z } from 'zod';

/** Encrypts a value for the browser to keep: it can neither read nor change it (JWE, direct AES-256-GCM). */
export async function seal(value: unknown, key: Uint8Array): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(value));
  return new CompactEncrypt(text).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key);
}

/** What was sealed with this key; undefined for anything else, such as a text that was cut or changed. */
export async function unseal<Value>(
  sealed: string,
  key: Uint8Array,
  schema: z.ZodType<Value>,
): Promise<Value | undefined> {
  try {
    const { plaintext } = await compactDecrypt(sealed, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    return schema.safeParse(JSON.parse(new TextDecoder().decode(plaintext))).data;
  } catch {
    return undefined;
  }
}
