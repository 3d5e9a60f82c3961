import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import type { SkillFile } from '../model/entry.ts';
import type { SkillArtifact } from '../model/entry-table.ts';

/**
 * What agent-skills discovery offers of a skill (contract 12.7): a lone SKILL.md as it was written, or a tar.gz of all
 * files. The same files give the same bytes.
 */
export async function makeSkillArtifact(files: readonly SkillFile[]): Promise<SkillArtifact> {
  const [only, ...others] = files;
  const lone = only !== undefined && others.length === 0;
  const bytes = lone ? only.bytes : gzipSync(await packTar(files), { level: 9 });
  const digest = createHash('sha256').update(bytes).digest('hex');
  return { type: lone ? 'skill-md' : 'archive', digest, bytes };
}

async function packTar(files: readonly SkillFile[]): Promise<Buffer> {
  const tar = pack();
  for (const file of files)
    tar.entry({ name: file.path, mtime: new Date(0), mode: 0o644 }, Buffer.from(file.bytes));
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}
