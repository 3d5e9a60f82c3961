import type { Role } from '../../auth/identity.ts';
import type { CatalogReader } from '../catalog-reader.ts';
import type { Viewer } from '../site-locals.ts';
import type { AdminApi } from './admin-api.ts';

/** What the administrators' pages are made from. */
export interface AdminContext {
  readonly api: AdminApi;
  readonly viewer: Viewer;
  readonly catalog: CatalogReader;
}

/**
 * Whether the API will take a call of the viewer that needs a role: only then a page asks, so that looking at it leaves
 * no denials in the audit log. What is allowed is decided by the API.
 */
export function holds({ roles }: Viewer, role: Role): boolean {
  return roles.includes('superAdmin') || roles.includes(role);
}
