import type { AuthConfig } from '../../sources/config/schema.ts';
import { BerthError } from '../../sources/errors.ts';
import { type HeldClaims, writeClaims } from '../../sources/model/claims.ts';
import { type EntryCandidate, type Explanation, explainVisibility } from '../authz/explain.ts';
import type { World } from './world.ts';

export interface ExplainRequest {
  readonly registry: string;
  /** `server/NAMESPACE/NAME` or `skill/NAMESPACE/NAME`. */
  readonly entry: string;
  readonly held: HeldClaims;
}

/**
 * Explains why a caller with these claims sees or does not see an entry of what is served (contract 1, 6).
 * @throws BerthError `registry_not_found`, `entry_reference_invalid`
 */
export function explainEntry(
  world: World,
  auth: AuthConfig | undefined,
  request: ExplainRequest,
): Explanation {
  const view = world.registries.get(request.registry);
  if (!view) {
    throw new BerthError('registry_not_found', `There is no registry ${request.registry}.`, {
      fix: `Known: ${[...world.registries.keys()].join(', ')}.`,
    });
  }
  const match = /^(server|skill)\/(.+\/.+)$/.exec(request.entry);
  if (!match) {
    throw new BerthError('entry_reference_invalid', `"${request.entry}" names no entry.`, {
      fix: 'Write server/NAMESPACE/NAME or skill/NAMESPACE/NAME.',
    });
  }
  const [, type, name = ''] = match;
  const candidates = view.segments.map((segment): EntryCandidate => {
    const table = type === 'server' ? segment.servers : segment.skills;
    const index = table.find(name);
    const set = index < 0 ? undefined : segment.classes[table.classOf(index)];
    return { source: segment.source, holdsEntry: index >= 0, ...(set ? { claims: writeClaims(set) } : {}) };
  });
  const roles = auth?.authz?.roles;
  return explainVisibility({
    mode: auth?.mode === 'anonymous' ? 'anonymous' : auth?.authz ? 'authz' : 'auth-only',
    ...(roles ? { roles } : {}),
    registry: { name: request.registry, claims: writeClaims(view.settings.claims) },
    entry: request.entry,
    candidates,
    held: request.held,
  });
}
