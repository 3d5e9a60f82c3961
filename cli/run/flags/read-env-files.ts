import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BerthError } from '../../../sources/errors.ts';
import { explainFileError, readNamedFile } from './read-files.ts';

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/**
 * Reads the lines of an environment file (contract 8): `KEY=VALUE`, `#` comments, blank lines, an `export ` prefix.
 * Values are taken as they stand, quotes included; of a name given twice the last counts.
 * @throws BerthError `env_file_invalid` with the line
 */
export function parseEnvFile(text: string, file: string): Record<string, string> {
  const found: Record<string, string> = {};
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    const trimmed = line.trimStart();
    if (trimmed.trim() === '' || trimmed.startsWith('#')) continue;
    const pair = trimmed.replace(/^export[ \t]+/, '');
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trimEnd();
    if (at < 0 || !VARIABLE.test(name)) {
      throw new BerthError(
        'env_file_invalid',
        at < 0 ? 'The line has no "=".' : 'What stands before "=" is no name of a variable.',
        { at: { file, line: index + 1 }, fix: 'Write KEY=VALUE, or begin a comment with #.' },
      );
    }
    found[name] = pair.slice(at + 1);
  }
  return found;
}

/** `--env-file`. @throws BerthError */
export function readEnvFile(given: string, cwd: string): Record<string, string> {
  return parseEnvFile(readNamedFile('--env-file', given, cwd), resolve(cwd, given));
}

/** `--env-file-dir`: the files of a directory by name, the later wins, hidden ones are skipped. @throws BerthError */
export function readEnvDirectory(given: string, cwd: string): Record<string, string> {
  const directory = resolve(cwd, given);
  const found: Record<string, string> = {};
  for (const name of listFiles(directory)) {
    const file = join(directory, name);
    Object.assign(found, parseEnvFile(readFileSync(file, 'utf8'), file));
  }
  return found;
}

function listFiles(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => !name.startsWith('.') && statSync(join(directory, name)).isFile())
      .sort((a, b) => (a < b ? -1 : 1));
  } catch (error) {
    throw explainFileError('--env-file-dir', directory, error);
  }
}
