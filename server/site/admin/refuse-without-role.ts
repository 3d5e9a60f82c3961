import type { Role } from '../../auth/identity.ts';
import type { Viewer } from '../site-locals.ts';
import { holds } from './admin-context.ts';
import { ApiRefusal } from './api-refusal.ts';

/**
 * Keeps a page from whom the API would refuse what its forms send, before they are filled in. Nothing is asked of the
 * API: looking at a page is no attempt to change something, and shall not stand in the audit log as one.
 * @param role undefined where any of them is enough
 * @throws ApiRefusal 401, 403
 */
export function refuseWithoutRole(viewer: Viewer, role: Role | undefined): void {
  if (role === undefined ? viewer.roles.length > 0 : holds(viewer, role)) return;
  if (viewer.kind === 'stranger') {
    const detail = 'These pages are for administrators: sign in first.';
    throw new ApiRefusal(401, { code: 'authentication_required', detail, errors: [] });
  }
  const lack = role === undefined ? 'you hold none of their roles' : `this one needs the role ${role}`;
  const rules = role === undefined ? 'auth.authz.roles' : `auth.authz.roles.${role}`;
  const detail = `These pages are for administrators, and ${lack}. Whoever keeps the configuration of this registry can add a rule for you to ${rules}.`;
  throw new ApiRefusal(403, { code: 'role_missing', detail, errors: [] });
}
