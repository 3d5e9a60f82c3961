import { listErrorCodes } from './errors/list-error-codes.ts';
import { findStale, REFERENCE_DIRECTORY, writeReferences } from './reference-files.ts';
import { renderReferences } from './reference-pages.ts';
import { loadProgram } from './source-code/load-program.ts';

/**
 * Writes the references of the site from the code. `--check` only says which are stale and ends with 1 when one is;
 * `--codes` prints the error codes as JSON.
 */
async function generate(words: readonly string[]): Promise<number> {
  const program = loadProgram();
  if (words.includes('--codes')) {
    process.stdout.write(`${JSON.stringify(listErrorCodes(program), null, 2)}\n`);
    return 0;
  }
  const pages = await renderReferences(program);
  if (!words.includes('--check')) {
    await writeReferences(pages, REFERENCE_DIRECTORY);
    return 0;
  }
  const stale = await findStale(pages, REFERENCE_DIRECTORY);
  for (const path of stale) process.stderr.write(`stale: ${path}; run npx tsx site/references/generate.ts\n`);
  return stale.length === 0 ? 0 : 1;
}

process.exitCode = await generate(process.argv.slice(2));
