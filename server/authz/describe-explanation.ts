import type { ClaimsCheck, Explanation, ExplanationStep } from './explain.ts';

/**
 * An explanation as text, one line per step. The last line starts with `visible` or `not visible` and names what
 * decided (contract 12.2); copies that lost to another source are named there too.
 */
export function describeExplanation(explanation: Explanation): string[] {
  return [...explanation.steps.flatMap(describeStep), describeVerdict(explanation)];
}

/** The last line of an explanation. */
export function describeVerdict({ visible, decidedBy, servedFrom, copies, steps }: Explanation): string {
  const gate = steps.find((step) => step.step === 'registry gate');
  const notes = copies
    .filter((copy) => copy.decidedBy.startsWith('shadowed by '))
    .map((copy) => `; the copy of ${copy.source} is ${copy.decidedBy}`);
  if (visible) return `visible: ${decidedBy} (from ${servedFrom}${notes.join('')})`;
  const unlabeled = decidedBy === 'registry gate' && gate?.unlabeled === true;
  return `not visible: ${decidedBy}${unlabeled ? ' (the registry is unlabeled)' : ''}`;
}

function describeStep(step: ExplanationStep): string[] {
  switch (step.step) {
    case 'roles':
      return [`roles: ${step.roles.join(', ') || 'none'}`];
    case 'registry gate':
      return describeCheck(`registry gate of ${step.registry}`, step);
    case 'entry claims':
      return describeCheck(`entry claims in ${step.source}`, step);
    case 'shadowing':
      return step.shadowed.map((source) => `shadowing: the copy of ${source} is shadowed by ${step.winner}`);
  }
}

function describeCheck(title: string, check: ClaimsCheck): string[] {
  const verdict = check.bypassed ? 'passed without a check' : check.ok ? 'passed' : 'not passed';
  const why = check.unlabeled ? ' (unlabeled)' : '';
  const keys = check.keys.map(
    ({ key, wanted, held, ok }) =>
      `  ${key}: wants ${list(wanted)}, caller holds ${list(held)}: ${ok ? 'yes' : 'no'}`,
  );
  return [`${title}: ${verdict}${why}`, ...keys];
}

function list(values: readonly string[]): string {
  return values.length === 0 ? 'nothing' : values.map((value) => JSON.stringify(value)).join(' or ');
}
