import {
  type ClaimSet,
  type Claims,
  type HeldClaims,
  normalizeClaims,
  satisfiesVisibility,
} from '../../sources/model/claims.ts';
import type { Role } from '../auth/identity.ts';
import { compileRoles, type RolesConfig, resolveRoles } from './roles.ts';

/** A source of the registry, and what it holds of the entry asked about. */
export interface EntryCandidate {
  readonly source: string;
  /** The claims of the entry as this source gives it; absent when it has none. */
  readonly claims?: Claims | undefined;
  readonly holdsEntry: boolean;
}

export interface VisibilityQuestion {
  readonly mode: 'anonymous' | 'auth-only' | 'authz';
  /** `auth.authz.roles`; only read in mode `authz`. */
  readonly roles?: RolesConfig;
  readonly registry: { readonly name: string; readonly claims?: Claims | undefined };
  /** How the entry is called in the answer, as `server/NAME` or `skill/NAMESPACE/NAME`. */
  readonly entry: string;
  /** The sources of the registry in its order. */
  readonly candidates: readonly EntryCandidate[];
  readonly held: HeldClaims;
  /** Answers as for a super-admin, whatever the claims say. */
  readonly superAdmin?: boolean;
}

/** One key of a claims object against what the caller holds. */
export interface KeyCheck {
  readonly key: string;
  readonly wanted: readonly string[];
  readonly held: readonly string[];
  readonly ok: boolean;
}

/** How one claims object was judged. Without claims (`unlabeled`) `keys` is empty. */
export interface ClaimsCheck {
  readonly ok: boolean;
  readonly unlabeled: boolean;
  /** The check is switched off: super-admin, auth-only or anonymous mode. */
  readonly bypassed: boolean;
  readonly keys: readonly KeyCheck[];
}

export type ExplanationStep =
  | { readonly step: 'roles'; readonly roles: readonly Role[]; readonly superAdmin: boolean }
  | ({ readonly step: 'registry gate'; readonly registry: string } & ClaimsCheck)
  | ({ readonly step: 'entry claims'; readonly source: string } & ClaimsCheck)
  | { readonly step: 'shadowing'; readonly winner: string; readonly shadowed: readonly string[] };

export type Decider =
  | 'registry gate'
  | 'entry claims'
  | 'unlabeled'
  | `shadowed by ${string}`
  | 'super-admin'
  | 'auth-only mode'
  | 'anonymous mode'
  | 'no such entry';

export interface CopyVerdict {
  readonly source: string;
  readonly visible: boolean;
  readonly decidedBy: Decider;
}

/** Why a caller sees or does not see an entry: the answer of `berth explain` and `GET /v1/explain`. */
export interface Explanation {
  readonly registry: string;
  readonly entry: string;
  readonly visible: boolean;
  readonly decidedBy: Decider;
  /** The source whose copy the caller gets. */
  readonly servedFrom?: string;
  /** What became of each source's copy, in order. */
  readonly copies: readonly CopyVerdict[];
  readonly steps: readonly ExplanationStep[];
}

/**
 * Walks the decision of a read (specification 5.8 to 5.10, contract 5): registry gate, then the claims of each copy,
 * then shadowing: of the copies the caller may see, the first source wins.
 */
export function explainVisibility(question: VisibilityQuestion): Explanation {
  const { mode, held } = question;
  const roles = mode === 'authz' ? resolveRoles(compileRoles(question.roles ?? {}), held) : [];
  const superAdmin = mode === 'authz' && (question.superAdmin === true || roles.includes('superAdmin'));
  const waiver: Decider | undefined =
    mode === 'authz' ? (superAdmin ? 'super-admin' : undefined) : `${mode} mode`;
  const check = (claims: Claims | undefined): ClaimsCheck =>
    checkClaims(normalizeClaims(claims), held, waiver !== undefined);

  const gate = check(question.registry.claims);
  const steps: ExplanationStep[] = [];
  if (mode === 'authz') steps.push({ step: 'roles', roles, superAdmin });
  steps.push({ step: 'registry gate', registry: question.registry.name, ...gate });

  const judged = question.candidates
    .filter((candidate) => candidate.holdsEntry)
    .map(({ source, claims }) => ({ source, ...check(claims) }));
  for (const copy of judged) steps.push({ step: 'entry claims', ...copy });
  const winner = judged.find((copy) => copy.ok)?.source;
  const shadowed = judged.filter((copy) => copy.ok && copy.source !== winner).map((copy) => copy.source);
  if (winner !== undefined && shadowed.length > 0) steps.push({ step: 'shadowing', winner, shadowed });

  const copies = judged.map((copy): CopyVerdict => {
    const lose = (decidedBy: Decider): CopyVerdict => ({ source: copy.source, visible: false, decidedBy });
    if (!gate.ok) return lose('registry gate');
    if (!copy.ok) return lose(copy.unlabeled ? 'unlabeled' : 'entry claims');
    if (copy.source !== winner) return lose(`shadowed by ${winner}`);
    return { source: copy.source, visible: true, decidedBy: waiver ?? 'entry claims' };
  });
  const visible = gate.ok && winner !== undefined;
  const deciding = visible ? copies.find((copy) => copy.visible) : copies[0];
  return {
    registry: question.registry.name,
    entry: question.entry,
    visible,
    decidedBy: gate.ok ? (deciding?.decidedBy ?? 'no such entry') : 'registry gate',
    ...(visible ? { servedFrom: winner } : {}),
    copies,
    steps,
  };
}

function checkClaims(claims: ClaimSet, held: HeldClaims, bypassed: boolean): ClaimsCheck {
  const keys = claims.map(([key, wanted]) => {
    const own = held.get(key) ?? [];
    return { key, wanted, held: own, ok: wanted.some((value) => own.includes(value)) };
  });
  return {
    ok: bypassed || satisfiesVisibility(claims, held),
    unlabeled: claims.length === 0,
    bypassed,
    keys,
  };
}
