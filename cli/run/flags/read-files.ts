import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { BerthError } from '../../../sources/errors.ts';
import { refuseWorld } from './flag-error.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'may not be read by you',
  EISDIR: 'is a directory',
};

/** The text of a file that a flag names. @throws BerthError `file_unreadable` */
export function readNamedFile(flag: string, given: string, cwd: string): string {
  const file = resolve(cwd, given);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw explainFileError(flag, file, error);
  }
}

/** What is wrong with a file a flag names. */
export function explainFileError(flag: string, file: string, error: unknown): BerthError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return refuseWorld('file_unreadable', flag, `${file} ${REASONS[code] ?? `cannot be read (${code})`}.`);
}

/** The absolute path of a file that must be there. @throws BerthError `file_unreadable` */
export function findNamedFile(flag: string, given: string | undefined, cwd: string): string | undefined {
  if (given === undefined) return undefined;
  const file = resolve(cwd, given);
  try {
    if (statSync(file).isFile()) return file;
  } catch (error) {
    throw explainFileError(flag, file, error);
  }
  throw refuseWorld('file_unreadable', flag, `${file} is not a file.`);
}

/** The absolute path of a PEM file with at least one certificate. @throws BerthError */
export function findCertificates(flag: string, given: string | undefined, cwd: string): string | undefined {
  if (given === undefined) return undefined;
  const file = resolve(cwd, given);
  const text = readNamedFile(flag, given, cwd);
  try {
    if (text.includes('-----BEGIN CERTIFICATE-----')) {
      new X509Certificate(text.slice(text.indexOf('-----BEGIN CERTIFICATE-----')));
      return file;
    }
  } catch (cause) {
    throw new BerthError('certificate_invalid', `${file} holds no readable certificate.`, {
      at: { flag },
      fix: 'Give a PEM file of certificates.',
      cause,
    });
  }
  throw refuseWorld('certificate_invalid', flag, `${file} holds no certificate.`, 'Give a PEM file.');
}

/** A secret in a file, without the blanks around it. @throws BerthError `file_unreadable`, `secret_file_empty` */
export function readSecretFile(flag: string, given: string, cwd: string): string {
  const value = readNamedFile(flag, given, cwd).trim();
  if (value !== '') return value;
  throw refuseWorld('secret_file_empty', flag, `${resolve(cwd, given)} is empty.`);
}
