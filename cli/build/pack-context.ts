import { Readable } from 'node:stream';
import { type Pack, pack } from 'tar-stream';
import type { ContextFile } from './build-plan.ts';

/** A fixed time, so that nothing of a context depends on when it was packed. */
const TIME = new Date(0);

/** Packs a build context; the caller reads it to its end. */
export function packContext(dockerfile: string, files: readonly ContextFile[]): Readable {
  const tar = pack();
  addFiles(tar, dockerfile, files);
  tar.finalize();
  return Readable.from(tar);
}

/** Adds the Dockerfile and files to a context that goes on. */
export function addFiles(tar: Pack, dockerfile: string, files: readonly ContextFile[]): void {
  tar.entry({ name: 'Dockerfile', mode: 0o644, mtime: TIME }, dockerfile);
  for (const { path, content, kind } of files) {
    if (kind === 'link') {
      tar.entry({ name: path, type: 'symlink', linkname: content.toString(), mtime: TIME });
    } else {
      tar.entry({ name: path, mode: kind === 'executable' ? 0o755 : 0o644, mtime: TIME }, content);
    }
  }
}
