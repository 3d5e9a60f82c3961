import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { parseDocument } from 'yaml';
import { BerthError } from '../../sources/errors.ts';
import type { UserDirectories } from '../user-directories.ts';
import type { SecretProvider } from './secret-provider.ts';

/**
 * Writes the chosen provider into config.yaml; everything else in it stays.
 * @throws BerthError `settings_invalid`
 */
export async function saveProvider(
  { config }: Pick<UserDirectories, 'config'>,
  provider: SecretProvider,
): Promise<void> {
  const file = join(config, 'config.yaml');
  await mkdir(config, { recursive: true, mode: 0o700 });
  const document = parseDocument(await readFile(file, 'utf8').catch(() => ''));
  if (document.errors.length > 0) {
    throw new BerthError('settings_invalid', 'The settings are no valid YAML.', {
      at: { file },
      fix: 'Repair them.',
    });
  }
  document.setIn(['secrets', 'provider'], provider);
  await writeFileAtomic(file, document.toString(), { mode: 0o600 });
}
