import { BerthError } from '../../sources/errors.ts';
import { readHeldClaims } from '../auth/claims-of-token.ts';
import { requireRole } from '../authz/decide.ts';
import { describeExplanation } from '../authz/describe-explanation.ts';
import { HttpError } from '../http/problem.ts';
import type { RegistryService } from '../registry-service.ts';
import { explainEntry } from '../view/explain-entry.ts';
import type { AdminRoute } from './admin-route.ts';

/** `GET /v1/explain?registry=&entry=&claims=` for super-admins (contract 6): the answer of `berth explain`. */
export function explainRoute(service: RegistryService): AdminRoute {
  return {
    method: 'GET',
    path: '/v1/explain',
    event: 'registry.explain',
    handle: ({ identity, query }) => {
      requireRole(identity, 'superAdmin');
      const held = readHeldClaims(readClaimsParameter(query.get('claims')));
      try {
        const explanation = explainEntry(service.world, service.loaded.config.auth, {
          registry: query.get('registry') ?? '',
          entry: query.get('entry') ?? '',
          held,
        });
        return { status: 200, body: { ...explanation, text: describeExplanation(explanation) } };
      } catch (error) {
        if (!(error instanceof BerthError)) throw error;
        throw new HttpError(error.code === 'registry_not_found' ? 404 : 400, error.code, error.describe());
      }
    },
  };
}

function readClaimsParameter(text: string | undefined): Record<string, unknown> {
  if (text === undefined || text === '') return {};
  try {
    const claims: unknown = JSON.parse(text);
    if (typeof claims === 'object' && claims !== null && !Array.isArray(claims)) return { ...claims };
  } catch {
    // Said below, as for JSON that is no object.
  }
  throw new HttpError(400, 'claims_invalid', 'claims must be a JSON object, such as {"org":"acme"}.');
}
