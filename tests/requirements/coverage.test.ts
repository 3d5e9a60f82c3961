import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documents, requirementIds } from './documents.ts';
import {
  describeRequirement,
  measureCoverage,
  readProofs,
  repositoryRoot,
  summarizeCoverage,
} from './measure-coverage.ts';

const specifications = join(repositoryRoot, '..', 'shared', 'spec');
const coverage = measureCoverage(readProofs());
console.log(summarizeCoverage(coverage));

describe('requirements', () => {
  it('of the core are each proved by a test', () => {
    expect(coverage.unproved.map(describeRequirement)).toEqual([]);
  });

  it('that are proved carry no part any more', () => {
    expect(coverage.mislabelled.map(describeRequirement)).toEqual([]);
  });

  it('named by tests all exist', () => {
    expect(coverage.unknown).toEqual([]);
  });

  it('have ids that say document, section and a number without gaps', () => {
    const last = new Map<string, number>();
    for (const id of requirementIds) {
      const [, section, number] = /^([SCRK]-\d+(?:\.\d+)?)-(\d\d)$/.exec(id) ?? [];
      expect(section, `section of ${id}`).toBeDefined();
      const expected = (last.get(String(section)) ?? 0) + 1;
      expect(Number(number), `number of ${id}`).toBe(expected);
      last.set(String(section), expected);
    }
  });

  describe.each(Object.entries(documents))('%s', (letter, document) => {
    it('are all in the set of their letter', () => {
      expect(Object.keys(document.requirements)).toEqual(
        requirementIds.filter((id) => id.startsWith(`${letter}-`)),
      );
    });

    it.skipIf(!existsSync(specifications))('quote lines that say something', () => {
      const lines = readFileSync(join(specifications, document.file), 'utf8').split('\n');
      const wrong = Object.entries(document.requirements)
        .filter(([, { line }]) => (lines[line - 1] ?? '').trim() === '')
        .map(([id, { line }]) => `${id}: line ${line}`);
      expect(wrong).toEqual([]);
    });
  });
});
