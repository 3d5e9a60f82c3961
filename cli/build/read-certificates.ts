import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { BerthError } from '../../sources/errors.ts';

const BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * Reads the certificates of `--ca-cert`.
 *
 * @param file absolute path of a PEM file
 * @returns the certificates and nothing else of the file: a private key beside them stays out of the image
 * @throws BerthError `ca_cert_invalid` when the file is missing or holds no certificate
 */
export async function readCertificates(file: string): Promise<string> {
  const at = { file };
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new BerthError('ca_cert_invalid', 'The file of --ca-cert cannot be read.', { at, cause: error });
  }
  const blocks = text.match(BLOCK) ?? [];
  if (blocks.length === 0) {
    throw new BerthError('ca_cert_invalid', 'The file of --ca-cert holds no PEM certificate.', {
      at,
      fix: 'Expected one or more blocks between BEGIN CERTIFICATE and END CERTIFICATE.',
    });
  }
  for (const [index, block] of blocks.entries()) {
    try {
      new X509Certificate(block);
    } catch (error) {
      throw new BerthError('ca_cert_invalid', `Certificate ${index + 1} of --ca-cert is broken.`, {
        at,
        cause: error,
      });
    }
  }
  return `${blocks.join('\n')}\n`;
}
