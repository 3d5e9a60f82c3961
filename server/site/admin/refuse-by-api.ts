import type { Role } from '../../auth/identity.ts';
import { type AdminContext, holds } from './admin-context.ts';
import { ApiRefusal } from './api-refusal.ts';

/**
 * Keeps a page with forms from whom the API would refuse what they send, in the words of the API.
 * @throws ApiRefusal
 */
export async function refuseByApi({ viewer, api }: AdminContext, role: 'manageEntries'): Promise<void> {
  if (holds(viewer, role)) return;
  throw (await api.change('POST', '/v1/entries', {})) ?? lacksRole(role);
}

function lacksRole(role: Role): ApiRefusal {
  return new ApiRefusal(403, { code: 'role_missing', detail: `This needs the role ${role}.`, errors: [] });
}
