import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { BerthError, messageOf } from '../sources/errors.ts';

/**
 * The certificate authorities to trust with `--berth-ca-bundle`: those of the system and those of the file, as PEM.
 * Undefined without a file, which means those of the system.
 * @throws BerthError `ca_bundle_unreadable`
 */
export function readCaBundle(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return [...rootCertificates, readFileSync(file, 'utf8')].join('\n');
  } catch (cause) {
    throw new BerthError('ca_bundle_unreadable', `The CA bundle cannot be read (${messageOf(cause)}).`, {
      at: { file },
      fix: 'Correct --berth-ca-bundle or the permissions of the file.',
      cause,
    });
  }
}
