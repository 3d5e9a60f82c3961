import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { BerthError, messageOf } from '../../sources/errors.ts';

/** A pipe takes so much in one piece; more may be mixed with what other processes write into it. */
const PIPE_BYTES = 4096;
const NEWLINE = 0x0a;

/** Where lines are appended. */
export interface LineOutput {
  /** Writes some of `bytes` and answers how many were taken; fails like a file does (ENOSPC, EPIPE, ...). */
  write(bytes: Uint8Array): Promise<number>;
  /** Opens the file of this name anew, after a rotation. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Appends to a file that only its owner may read (0600).
 * @param path absolute, or relative to the working directory
 * @throws BerthError `audit_log_unavailable` when it cannot be opened
 */
export async function openFileOutput(path: string): Promise<LineOutput> {
  let handle = await openPrivately(path).catch((cause: unknown) => {
    throw new BerthError('audit_log_unavailable', `The audit log cannot be opened: ${messageOf(cause)}.`, {
      at: { file: path },
      fix: 'Create its directory and let this user write to it, or change audit.logFile.',
      cause,
    });
  });
  return {
    write: async (bytes) => (await handle.write(bytes)).bytesWritten,
    async reopen() {
      const next = await openPrivately(path);
      const previous = handle;
      handle = next;
      await previous.close();
    },
    async close() {
      // A disk may be full, or the output no regular file: the lines were handed over all the same.
      await handle.datasync().catch(() => undefined);
      await handle.close();
    },
  };
}

async function openPrivately(path: string): Promise<FileHandle> {
  const { O_APPEND, O_CREAT, O_WRONLY } = constants;
  const handle = await open(path, O_APPEND | O_CREAT | O_WRONLY, 0o600);
  try {
    const { mode } = await handle.stat();
    // A file that was there before may be readable by others; a device or a pipe keeps its mode.
    if ((mode & constants.S_IFMT) === constants.S_IFREG && (mode & 0o077) !== 0) await handle.chmod(0o600);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return handle;
}

/** Writes to a stream of the process, such as standard output. */
export function createStreamOutput(stream: NodeJS.WritableStream): LineOutput {
  // Failures reach the callback of each write; unheard, the event would end the process.
  stream.on('error', () => undefined);
  return {
    write: (bytes) =>
      new Promise((done, fail) => {
        const piece = bytes.subarray(0, countWhole(bytes));
        stream.write(piece, (error) => (error ? fail(error) : done(piece.byteLength)));
      }),
    reopen: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** How many bytes of whole lines go into a pipe at once; of a longer line, all of it. */
function countWhole(bytes: Uint8Array): number {
  if (bytes.byteLength <= PIPE_BYTES) return bytes.byteLength;
  const end = bytes.lastIndexOf(NEWLINE, PIPE_BYTES - 1);
  const first = end < 0 ? bytes.indexOf(NEWLINE) : end;
  return first < 0 ? bytes.byteLength : first + 1;
}
