import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const MAX_BYTES = 10 * 1024 * 1024;
const FILES = 3;

export interface RotationLimits {
  readonly maxBytes?: number;
  /** With the one that is written. */
  readonly files?: number;
}

/**
 * A log file for its owner alone that is moved aside when it is full: `server.log`, `server.log.1`, `server.log.2`
 * (contract 3). What is written is there when `write` returns, so a crash of ours loses no line.
 */
export class RotatingLog {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #files: number;
  #descriptor: number | undefined;
  #size = 0;

  constructor(path: string, { maxBytes = MAX_BYTES, files = FILES }: RotationLimits = {}) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#files = files;
    this.#open();
  }

  /** A full disk loses lines; it does not end the workload. Answers whether they were written. */
  write(data: Buffer | string): boolean {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    try {
      if (this.#size > 0 && this.#size + bytes.length > this.#maxBytes) this.#rotate();
      const descriptor = this.#descriptor ?? this.#open();
      let written = 0;
      while (written < bytes.length) written += writeSync(descriptor, bytes, written);
      this.#size += bytes.length;
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #open(): number {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const descriptor = openSync(this.#path, 'a', 0o600);
    this.#descriptor = descriptor;
    this.#size = fstatSync(descriptor).size;
    return descriptor;
  }

  #rotate(): void {
    this.close();
    rmSync(`${this.#path}.${this.#files - 1}`, { force: true });
    for (let at = this.#files - 2; at >= 1; at--) moveAside(`${this.#path}.${at}`, `${this.#path}.${at + 1}`);
    if (this.#files > 1) moveAside(this.#path, `${this.#path}.1`);
    else rmSync(this.#path, { force: true });
    this.#open();
  }
}

function moveAside(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
