import type { SourceRecord } from '../../../sources/bundle/manifest.ts';

const HASH = 'ab'.repeat(32);

/** A record whose digest is a number, one higher than before. */
export function countUp(before: SourceRecord | undefined): SourceRecord {
  const bundle = {
    hash: HASH,
    builtAt: '2026-01-01T00:00:00.000Z',
    origin: { kind: 'file' as const },
    servers: 0,
    skills: 0,
    versions: 0,
    rejected: 0,
    bytes: 0,
  };
  const digest = String(Number(before?.input.digest ?? 0) + 1);
  return { current: HASH, bundles: [bundle], input: { digest, settings: '' } };
}
