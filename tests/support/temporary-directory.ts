import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory that lives as long as the running test. */
export function makeDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'berth-test-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
