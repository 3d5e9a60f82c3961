import fc from 'fast-check';

const word = fc.oneof(
  fc.constantFrom(
    ...[
      'registry',
      'tools',
      'v0.1',
      'v0',
      'v1',
      'servers',
      'versions',
      'latest',
      'x',
      'dev.toolhive',
      'skills',
      'me',
    ],
    ...[
      'com.acme%2Fone',
      '1.0.0',
      'sources',
      'registries',
      'entries',
      'server',
      'skill',
      'claims',
      'sync',
      'bundles',
    ],
    ...[
      'rollback',
      'explain',
      'hooks',
      'git',
      '.well-known',
      'oauth-protected-resource',
      'openapi.json',
      'docs',
      '..',
    ],
    ...[
      'agent-skills',
      'index.json',
      '%00',
      '%zz',
      '%2e%2e',
      '%252F',
      '',
      '__proto__',
      'constructor',
      '%F0%9F%92%A9',
    ],
  ),
  fc.webFragments().map((text) => text.replace(/[#?]/g, '')),
);
/** A path of words the service knows and of anything else. */
export const path = fc.array(word, { maxLength: 8 }).map((words) => `/${words.join('/')}`);
const parameter = fc.tuple(
  fc.constantFrom(
    'limit',
    'cursor',
    'search',
    'updated_since',
    'version',
    'include_deleted',
    'tag',
    'source',
    'claims',
    'entry',
    'registry',
    'x',
  ),
  fc.oneof(
    fc.constantFrom(
      '0',
      '-1',
      '30',
      '1e3',
      'latest',
      'true',
      '%',
      '_',
      '%zz',
      '{}',
      '{"org":"acme"}',
      'null',
      'server/com.acme/one',
      'tools',
    ),
    fc.string({ maxLength: 40 }).map(encodeURIComponent),
    fc.base64String({ maxLength: 60 }),
  ),
);
/** A query of parameters the service knows, with good and bad values. */
export const query = fc
  .array(parameter, { maxLength: 4 })
  .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'));
/** Headers that are read somewhere, with anything HTTP allows in them. */
export const headers = fc.dictionary(
  fc.constantFrom(
    'accept-encoding',
    'if-none-match',
    'x-request-id',
    'content-type',
    'traceparent',
    'origin',
    'range',
    'x-hub-signature-256',
    'accept',
  ),
  fc.string({
    unit: fc
      .oneof(fc.integer({ min: 0x21, max: 0x7e }), fc.integer({ min: 0xa0, max: 0xff }))
      .map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 60,
  }),
);
const entry = fc.record(
  {
    server: fc.oneof(
      fc.jsonValue(),
      fc.record({
        name: fc.constantFrom('com.acme/new', 'bad'),
        description: fc.jsonValue(),
        version: fc.jsonValue(),
      }),
    ),
    claims: fc.oneof(fc.jsonValue(), fc.constant({ org: 'acme' })),
    status: fc.jsonValue(),
    hash: fc.jsonValue(),
    sources: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
/** Bodies that are nearly right, wrong, no JSON, or too long. */
export const body = fc.oneof(
  fc.constant(''),
  fc.json(),
  fc.string(),
  entry.map((value) => JSON.stringify(value)),
  fc.string({ minLength: 5000, maxLength: 6000 }),
);
