import { describe, expect, it } from 'vitest';
import { describeExplanation } from '../../../server/authz/describe-explanation.ts';
import { explainVisibility, type VisibilityQuestion } from '../../../server/authz/explain.ts';

const held = (claims: Record<string, string[]>) => new Map(Object.entries(claims));
const acme = held({ org: ['acme'], team: ['platform'] });
const both = held({ org: ['acme'], team: ['platform', 'data'] });

const ask = (more: Partial<VisibilityQuestion>) =>
  explainVisibility({
    mode: 'authz',
    roles: { superAdmin: [{ role: 'super-admin' }] },
    registry: { name: 'main', claims: { org: 'acme' } },
    entry: 'server/com.acme/tool',
    candidates: [
      { source: 'empty', holdsEntry: false },
      { source: 'platform', claims: { team: 'platform' }, holdsEntry: true },
      { source: 'data', claims: { team: 'data' }, holdsEntry: true },
    ],
    held: acme,
    ...more,
  });
const unlabeled = [{ source: 's', holdsEntry: true }];

describe('explainVisibility', () => {
  it.each<[string, Partial<VisibilityQuestion>, boolean, string, string | undefined]>([
    ['claims satisfied', {}, true, 'entry claims', 'platform'],
    [
      'the second source wins when the first is hidden',
      { held: held({ org: ['acme'], team: ['data'] }) },
      true,
      'entry claims',
      'data',
    ],
    [
      'gate not satisfied',
      { held: held({ org: ['b'], team: ['platform'] }) },
      false,
      'registry gate',
      undefined,
    ],
    ['gate unlabeled', { registry: { name: 'main' } }, false, 'registry gate', undefined],
    ['entry claims not satisfied', { held: held({ org: ['acme'] }) }, false, 'entry claims', undefined],
    ['entry unlabeled', { candidates: unlabeled }, false, 'unlabeled', undefined],
    [
      'entry with empty claims',
      { candidates: [{ source: 's', claims: {}, holdsEntry: true }] },
      false,
      'unlabeled',
      undefined,
    ],
    [
      'no source holds it',
      { candidates: [{ source: 's', holdsEntry: false }] },
      false,
      'no such entry',
      undefined,
    ],
    ['super-admin by token', { held: held({ role: ['super-admin'] }) }, true, 'super-admin', 'platform'],
    [
      'super-admin by order',
      { held: held({}), superAdmin: true, candidates: unlabeled },
      true,
      'super-admin',
      's',
    ],
    ['super-admin, no such entry', { superAdmin: true, candidates: [] }, false, 'no such entry', undefined],
    [
      'auth-only mode',
      { mode: 'auth-only', held: held({}), candidates: unlabeled },
      true,
      'auth-only mode',
      's',
    ],
    ['anonymous mode', { mode: 'anonymous', held: held({}) }, true, 'anonymous mode', 'platform'],
    [
      'superAdmin means nothing in auth-only mode',
      { mode: 'auth-only', superAdmin: true },
      true,
      'auth-only mode',
      'platform',
    ],
  ])('%s', (_name, more, visible, decidedBy, servedFrom) => {
    const explanation = ask(more);
    expect(explanation).toMatchObject({ visible, decidedBy });
    expect(explanation.servedFrom).toBe(servedFrom);
    const last = describeExplanation(explanation).at(-1);
    expect(last).toMatch(visible ? /^visible: / : /^not visible: /);
    expect(last).toContain(decidedBy);
  });

  it('says what each key wants and what is held', () => {
    const { steps } = ask({ held: held({ org: ['acme'] }) });
    expect(steps).toContainEqual({
      step: 'entry claims',
      source: 'platform',
      ok: false,
      unlabeled: false,
      bypassed: false,
      keys: [{ key: 'team', wanted: ['platform'], held: [], ok: false }],
    });
    expect(steps.map((step) => step.step)).toEqual([
      'roles',
      'registry gate',
      'entry claims',
      'entry claims',
    ]);
  });

  it('names the copies that are shadowed, and by whom', () => {
    const explanation = ask({ held: both });
    expect(explanation.copies).toEqual([
      { source: 'platform', visible: true, decidedBy: 'entry claims' },
      { source: 'data', visible: false, decidedBy: 'shadowed by platform' },
    ]);
    expect(explanation.steps.at(-1)).toEqual({ step: 'shadowing', winner: 'platform', shadowed: ['data'] });
    expect(describeExplanation(explanation).at(-1)).toBe(
      'visible: entry claims (from platform; the copy of data is shadowed by platform)',
    );
  });

  it('is never shadowed by a copy that the caller may not see', () => {
    const explanation = ask({ held: held({ org: ['acme'], team: ['data'] }) });
    expect(explanation.copies).toEqual([
      { source: 'platform', visible: false, decidedBy: 'entry claims' },
      { source: 'data', visible: true, decidedBy: 'entry claims' },
    ]);
  });

  it('says that an unlabeled registry is the reason', () => {
    expect(describeExplanation(ask({ registry: { name: 'main' } })).at(-1)).toBe(
      'not visible: registry gate (the registry is unlabeled)',
    );
  });
});
