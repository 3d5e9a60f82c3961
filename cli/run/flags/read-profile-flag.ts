import { resolve } from 'node:path';
import { BUILT_IN_PROFILES, type Profile, profileSchema } from '../../isolation/profile.ts';
import { readStrictFile } from '../../policy/read-strict-file.ts';
import { readNamedFile } from './read-files.ts';
import { readText } from './read-values.ts';

/** `--permission-profile`: `none`, `network` or a JSON file, strictly read. @throws UsageError, BerthError, ConfigError */
export function readProfileFlag(given: string | undefined, cwd: string): Profile | undefined {
  const name = readText('--permission-profile', given);
  if (name === undefined) return undefined;
  if (name === 'none' || name === 'network') return BUILT_IN_PROFILES[name];
  const text = readNamedFile('--permission-profile', name, cwd);
  return readStrictFile(text, resolve(cwd, name), profileSchema);
}
