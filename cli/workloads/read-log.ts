import { open, readFile, stat } from 'node:fs/promises';
import { hasCode } from './has-code.ts';

const OLDER = [2, 1] as const;
const LOOK_MS = 200;

/** The last lines of a log and of what was moved aside from it, oldest first, without the newline of the last. */
export async function readLogTail(path: string, lines: number): Promise<string> {
  if (lines <= 0) return '';
  let text = await readIfThere(path);
  for (const number of [...OLDER].reverse()) {
    if (countLines(text) >= lines) break;
    text = (await readIfThere(`${path}.${number}`)) + text;
  }
  const all = text.replace(/\n$/, '').split('\n');
  return all.slice(-lines).join('\n');
}

/**
 * Reports what a log gets from now on, also after it was moved aside, until the signal is aborted.
 * @param from how much of it is known already, in bytes
 */
export async function followLog(
  path: string,
  from: number,
  report: (piece: Buffer) => void,
  signal: AbortSignal,
): Promise<void> {
  let file = await openIfThere(path);
  let position = from;
  const drain = async (): Promise<void> => {
    while (file !== undefined) {
      const { bytesRead, buffer } = await file.read({ position, buffer: Buffer.alloc(65_536) });
      if (bytesRead === 0) return;
      position += bytesRead;
      report(buffer.subarray(0, bytesRead));
    }
  };
  try {
    while (!signal.aborted) {
      await drain();
      const now = await inodeOf(path);
      if (now !== undefined && now !== (file && (await file.stat()).ino)) {
        await drain();
        await file?.close();
        file = await openIfThere(path);
        position = 0;
        continue;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  } finally {
    await file?.close();
  }
}

export async function sizeOfLog(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  }
}

async function openIfThere(path: string) {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function inodeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ ino }) => ino,
    () => undefined,
  );
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}
