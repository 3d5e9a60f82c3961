import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRequirementId, type RequirementId, requirementIds, requirements } from './documents.ts';
import { findProofs, type Proof } from './find-proofs.ts';
import { PART_NAMES, type PartName, type Requirement } from './requirement.ts';

export const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));

/** What the tests prove, and what is wrong about how they say so. */
export interface Coverage {
  readonly proved: ReadonlySet<RequirementId>;
  /** Requirements of the core that no test proves. */
  readonly unproved: readonly RequirementId[];
  /** Requirements of each part that no test proves yet. */
  readonly open: Readonly<Record<PartName, readonly RequirementId[]>>;
  /** Proved requirements that still carry a part. */
  readonly mislabelled: readonly RequirementId[];
  /** Arguments of `proves` that are no id or no string literal, each with its place. */
  readonly unknown: readonly string[];
}

/**
 * Reads the proofs of every TypeScript file below `tests`, except this folder.
 *
 * @throws Error of node:fs when a file cannot be read
 */
export function readProofs(): Proof[] {
  const tests = join(repositoryRoot, 'tests');
  const own = join('requirements', sep);
  return readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith(own))
    .sort()
    .flatMap((path) => {
      const file = join(tests, path);
      return findProofs(relative(repositoryRoot, file), readFileSync(file, 'utf8'));
    });
}

/**
 * Compares proofs with the requirements of all documents.
 *
 * @param known the requirements by id; others than those of the documents in tests only
 */
export function measureCoverage(
  proofs: readonly Proof[],
  known: Readonly<Record<RequirementId, Requirement>> = requirements,
): Coverage {
  const proved = new Set<RequirementId>();
  const unknown: string[] = [];
  for (const { id, place } of proofs) {
    if (id === undefined) unknown.push(`${place}: proves() takes string literals only`);
    else if (isRequirementId(id)) proved.add(id);
    else unknown.push(`${place}: ${id} is no requirement`);
  }
  const missing = requirementIds.filter((id) => !proved.has(id));
  const openOf = (part: PartName) => missing.filter((id) => known[id].part === part);
  return {
    proved,
    unproved: missing.filter((id) => known[id].part === undefined),
    open: {
      dynamic: openOf('dynamic'),
      run: openOf('run'),
      'run-governed': openOf('run-governed'),
      site: openOf('site'),
    },
    mislabelled: [...proved].filter((id) => known[id].part !== undefined),
    unknown,
  };
}

/** Sums a coverage up in one line. */
export function summarizeCoverage(coverage: Coverage): string {
  const parts = PART_NAMES.map((part) => `${coverage.open[part].length} of part '${part}' open`);
  const { proved, unproved } = coverage;
  return `requirements: ${proved.size} proved, ${unproved.length} unproved, ${parts.join(', ')}, ${requirementIds.length} in total`;
}

/** Says what one requirement is, for a list of those that miss a proof. */
export function describeRequirement(id: RequirementId): string {
  const { behaviour, line } = requirements[id];
  return `${id} (line ${line}) ${behaviour}`;
}
