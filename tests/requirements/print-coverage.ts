import { type RequirementId, requirementIds } from './documents.ts';
import { describeRequirement, measureCoverage, readProofs, summarizeCoverage } from './measure-coverage.ts';
import { PART_NAMES } from './requirement.ts';

/**
 * npx tsx tests/requirements/print-coverage.ts [SECTION | PART]...
 *
 * Lists the requirements without a proof by section: those of the core, or those of the named parts, or of the sections
 * with the named beginnings (`C-5` does not mean `C-5x`).
 */
const wanted = process.argv.slice(2);
const parts = PART_NAMES.filter((part) => wanted.includes(part));
const sections = wanted.filter((word) => !parts.some((part) => part === word));
const strange = sections.filter((section) => !requirementIds.some((id) => lies(id, section)));
if (strange.length > 0) {
  console.error(
    `Neither a part (${PART_NAMES.join(', ')}) nor a section such as S-5.9 or C-12: ${strange.join(', ')}`,
  );
  process.exit(2);
}

const coverage = measureCoverage(readProofs());
const candidates = new Set<RequirementId>(
  parts.length === 0 ? coverage.unproved : parts.flatMap((part) => coverage.open[part]),
);
let printed = '';
for (const id of requirementIds) {
  if (!candidates.has(id)) continue;
  if (sections.length > 0 && !sections.some((section) => lies(id, section))) continue;
  const section = id.slice(0, id.lastIndexOf('-'));
  if (section !== printed) console.log(`\n${section}`);
  printed = section;
  console.log(`  ${describeRequirement(id)}`);
}
if (coverage.mislabelled.length > 0) {
  console.log(`\nproved, so their part has to go: ${coverage.mislabelled.join(' ')}`);
}
for (const problem of coverage.unknown) console.log(problem);
console.log(`\n${summarizeCoverage(coverage)}`);

/** Tells whether an id belongs to a section or one of its subsections. */
function lies(id: RequirementId, section: string): boolean {
  return id === section || id.startsWith(`${section}-`) || id.startsWith(`${section}.`);
}
