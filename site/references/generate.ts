import { listErrorCodes } from './errors/list-error-codes.ts';
import { loadProgram } from './source-code/load-program.ts';

if (process.argv.includes('--codes')) {
  process.stdout.write(`${JSON.stringify(listErrorCodes(loadProgram()), null, 2)}\n`);
}
