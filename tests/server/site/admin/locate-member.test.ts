import { expect, it } from 'vitest';
import { createMemberLocator } from '../../../../server/site/admin/locate-member.ts';

const TEXT = `{
  "name": "io.acme/one",
  "packages": [
    {
      "registryType": "npm"
    },
    {
      "transport": { "type": "stdio" }
    }
  ],
  "_meta": {
    "io.acme": {},
    "io.acme.more/x": {
      "a.b": [1,
        2]
    }
  }
}`;

it.each([
  ['name', 2],
  ['packages', 3],
  ['packages[0].registryType', 5],
  ['packages[0].transport', 4],
  ['packages[1].transport.type', 8],
  ['packages[7].transport', 3],
  ['_meta.io.acme.more/x.a.b[1]', 15],
  ['_meta.io.acme', 12],
  ['_meta.io.acme.unknown', 12],
  ['description', undefined],
  ['', undefined],
])('%s begins on line %s', (path, line) => {
  expect(createMemberLocator(TEXT)(path)).toBe(line);
});

it('reads YAML too, and gives no line for what is no document', () => {
  expect(createMemberLocator('a: 1\nb:\n  - c: 2\n')('b[0].c')).toBe(3);
  expect(createMemberLocator('}{')('b')).toBeUndefined();
});
