#!/usr/bin/env -S node --
import { endQuietlyOnBrokenPipe } from './broken-pipe.ts';
import { runCommandLine } from './run-command-line.ts';

endQuietlyOnBrokenPipe(process);
process.exitCode = await runCommandLine(process.argv.slice(2), process);
