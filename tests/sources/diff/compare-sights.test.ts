import { expect, it } from 'vitest';
import { configSchema } from '../../../sources/config/schema.ts';
import { compareSights } from '../../../sources/diff/compare-sights.ts';
import { listClaimsSets } from '../../../sources/diff/list-claims-sets.ts';

const see = (entries: Record<string, Record<string, string>>) =>
  new Map(Object.entries(entries).map(([registry, seen]) => [registry, new Map(Object.entries(seen))]));

it('tells what is gained, lost and seen from another source', () => {
  const before = see({
    r: { 'server/a/a': 's', 'server/a/b': 's', 'server/a/c': 's' },
    same: { 'server/a/a': 's' },
  });
  const after = see({
    r: { 'server/a/b': 't', 'server/a/c': 's', 'skill/a/d': 's' },
    same: { 'server/a/a': 's' },
  });
  expect(compareSights(before, after)).toEqual([
    {
      registry: 'r',
      gained: ['skill/a/d'],
      lost: ['server/a/a'],
      moved: [{ entry: 'server/a/b', from: 's', to: 't' }],
    },
  ]);
});

it('counts a registry that comes or goes', () => {
  const some = see({ r: { 'server/a/a': 's' } });
  expect(compareSights(new Map(), some)).toMatchObject([{ registry: 'r', gained: ['server/a/a'], lost: [] }]);
  expect(compareSights(some, new Map())).toMatchObject([{ registry: 'r', gained: [], lost: ['server/a/a'] }]);
});

it('lists each claims set of a configuration once, and nobody in particular first', () => {
  const config = configSchema.parse({
    sources: [
      { name: 'a', managed: {}, claims: { org: 'x', team: ['b', 'a'] } },
      { name: 'b', managed: {}, claims: { team: ['a', 'b'], org: ['x'] } },
      { name: 'c', managed: {} },
    ],
    registries: [{ name: 'r', sources: ['a'], claims: { org: 'x' } }],
    auth: { authz: { roles: { superAdmin: [{ groups: 'admins' }] } } },
    site: { audience: { org: 'y' } },
  });
  expect(listClaimsSets([config, config])).toEqual([
    [],
    [['groups', ['admins']]],
    [
      ['org', ['x']],
      ['team', ['a', 'b']],
    ],
    [['org', ['x']]],
    [['org', ['y']]],
  ]);
});
