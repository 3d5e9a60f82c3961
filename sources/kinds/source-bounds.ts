import { BerthError } from '../errors.ts';

/** Most files, and most bytes of them together, that one source may bring. */
export const maxFiles = 20_000;
export const maxTotalBytes = 200_000_000;
/** A larger file is left out of a directory; alone it may be as large as `maxTotalBytes`. */
export const maxFileBytes = 20_000_000;

/** @throws BerthError `source_too_large` */
export function checkFileCount(count: number, shown: string): void {
  if (count > maxFiles) throw refuseSize(shown, `more than ${maxFiles} files`);
}

/** @throws BerthError `source_too_large` */
export function checkTotalBytes(bytes: number, shown: string): void {
  if (bytes > maxTotalBytes) throw refuseSize(shown, `more than ${maxTotalBytes / 1_000_000} MB`);
}

function refuseSize(shown: string, what: string): BerthError {
  return new BerthError('source_too_large', `The source holds ${what}.`, {
    at: { file: shown },
    fix: 'Name a directory that holds catalogs only, or split the source.',
  });
}

/** The reason given for a file that is too large to be read with others. */
export const tooLargeReason = `The file is larger than ${maxFileBytes / 1_000_000} MB.`;
