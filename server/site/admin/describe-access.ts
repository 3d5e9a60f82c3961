import type { ExplanationReport } from './api-schemas.ts';

/** A claims object as it is wanted of a caller: every key, one of its values. */
export interface WantedClaims {
  /** Nothing is written on it: nobody but a super-admin passes. */
  readonly unlabeled: boolean;
  readonly keys: readonly { readonly key: string; readonly values: readonly string[] }[];
}

/** A source of the registry and what it has of the entry. */
export interface AccessCopy {
  readonly source: string;
  /** Undefined when the source has no such entry. */
  readonly wanted: WantedClaims | undefined;
}

/** Who sees an entry, whoever asks. */
export interface AccessRule {
  /** `authz`: by claims; the others let everybody pass who gets in. */
  readonly mode: 'authz' | 'auth-only' | 'anonymous';
  readonly gate: WantedClaims;
  /** Sources in the order of the registry: of the copies a caller may see, the first is served. */
  readonly copies: readonly AccessCopy[];
  readonly isHeld: boolean;
}

/** A step on the way to the decision about one caller. */
export interface AccessStep {
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'told';
  readonly note: string;
  readonly keys: readonly {
    readonly key: string;
    readonly wanted: readonly string[];
    readonly held: readonly string[];
    readonly ok: boolean;
  }[];
}

type Step = ExplanationReport['steps'][number];
type CheckStep = Extract<Step, { step: 'registry gate' | 'entry claims' }>;

/**
 * What is wanted of callers, out of the explanation for any of them.
 * @param sources of the registry, in order
 */
export function describeAccess(
  { steps }: ExplanationReport,
  sources: readonly string[],
  isAnonymous: boolean,
): AccessRule {
  const wanted = new Map<string, WantedClaims>();
  let gate: WantedClaims = { unlabeled: true, keys: [] };
  for (const step of steps) {
    if (step.step === 'registry gate') gate = describeWanted(step);
    if (step.step === 'entry claims') wanted.set(step.source, describeWanted(step));
  }
  const hasRoles = steps.some(({ step }) => step === 'roles');
  return {
    mode: hasRoles ? 'authz' : isAnonymous ? 'anonymous' : 'auth-only',
    gate,
    copies: sources.map((source) => ({ source, wanted: wanted.get(source) })),
    isHeld: wanted.size > 0,
  };
}

/** The steps of an explanation, for people. */
export function describeSteps({ steps }: ExplanationReport): readonly AccessStep[] {
  return steps.map(describeStep);
}

function describeStep(step: Step): AccessStep {
  switch (step.step) {
    case 'roles':
      return tell('Roles of the caller', step.roles.join(', ') || 'none');
    case 'shadowing':
      return tell(
        'Shadowing',
        `${step.winner} comes first in the registry; the copies of ${step.shadowed.join(', ')} are not shown.`,
      );
    case 'registry gate':
      return describeCheck(`Gate of the registry ${step.registry}`, step);
    case 'entry claims':
      return describeCheck(`Claims of the entry in ${step.source}`, step);
  }
}

function describeWanted({ unlabeled, keys }: CheckStep): WantedClaims {
  return { unlabeled, keys: keys.map(({ key, wanted }) => ({ key, values: wanted })) };
}

function tell(title: string, note: string): AccessStep {
  return { title, outcome: 'told', note, keys: [] };
}

function describeCheck(title: string, { ok, bypassed, unlabeled, keys }: CheckStep): AccessStep {
  const outcome = bypassed ? 'skipped' : ok ? 'passed' : 'failed';
  const without = unlabeled ? 'There are no claims on it, so only super-admins pass.' : '';
  return { title, outcome, note: bypassed ? 'Not checked for this caller.' : without, keys };
}
