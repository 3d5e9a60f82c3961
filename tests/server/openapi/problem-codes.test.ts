import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createOpenApi } from '../../../server/openapi/create-openapi.ts';

const SERVER = new URL('../../../server', import.meta.url).pathname;
/** Other than those of operations: of paths and methods that do not exist, of the pages, of the internal server. */
const ELSEWHERE = new Set([
  'route_not_found',
  'method_not_allowed',
  'site_disabled',
  'asset_not_found',
  'api_page_unavailable',
  'path_not_found',
  'not_ready',
  // Of pages and their forms.
  'csrf_refused',
  'form_expected',
  'sign_in_expired',
  'sign_in_failed',
  'sign_in_not_configured',
  'sign_in_refused',
  'sign_in_unavailable',
]);

it('documents every code the service gives to its callers', () => {
  const document = JSON.stringify(createOpenApi({ version: '1' }));
  const files = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const codes = files.flatMap((file) =>
    [...readFileSync(join(SERVER, file), 'utf8').matchAll(/new HttpError\(\s*\d{3},\s*'(\w+)'/g)].map(
      ([, code = '']) => code,
    ),
  );
  expect(codes.length).toBeGreaterThan(30);
  const missing = codes.filter((code) => !document.includes(`\`${code}\``) && !ELSEWHERE.has(code));
  expect([...new Set(missing)]).toEqual([]);
});
