import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { answerGitHook, type GitHook } from '../../../server/hooks/answer-git-hook.ts';
import { createRememberedDeliveries } from '../../../server/hooks/remembered-deliveries.ts';
import { proves } from '../../requirements/proves.ts';

const SECRET = 'the secret';
const BODY = new TextEncoder().encode('{"ref":"refs/heads/main"}');
const sign = (body: Uint8Array, secret = SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const findSource: GitHook['findSource'] = (name) =>
  name === 'team' || name === 'other' ? 'syncable' : name === 'own' ? 'not_syncable' : undefined;

function deliver(headers: Record<string, string>, rest: Partial<GitHook> = {}) {
  return answerGitHook({
    header: (name) => headers[name],
    body: BODY,
    source: 'team',
    secret: SECRET,
    findSource,
    remember: () => true,
    ...rest,
  });
}

const refused = (status: number, code: string) => expect.objectContaining({ status, code });

describe('answerGitHook', () => {
  it(`${proves('C-2-59')} accepts what GitHub and Gitea sign, in either case of hex`, () => {
    expect(deliver({ 'x-hub-signature-256': sign(BODY) })).toEqual({ status: 'accepted' });
    const upper = `sha256=${sign(BODY).slice('sha256='.length).toUpperCase()}`;
    expect(deliver({ 'x-hub-signature-256': upper })).toEqual({ status: 'accepted' });
  });

  it(`${proves('C-2-60')} accepts the token of GitLab`, () => {
    expect(deliver({ 'x-gitlab-token': SECRET })).toEqual({ status: 'accepted' });
  });

  const flipped = Uint8Array.from(BODY);
  flipped[5] = 0x21;
  it.each([
    ['no signature', {}],
    ['another secret', { 'x-hub-signature-256': sign(BODY, 'guess') }],
    ['a signature of another body', { 'x-hub-signature-256': sign(flipped) }],
    ['a cut signature', { 'x-hub-signature-256': sign(BODY).slice(0, -2) }],
    ['a longer signature', { 'x-hub-signature-256': `${sign(BODY)}00` }],
    ['an empty signature', { 'x-hub-signature-256': '' }],
    ['text that is not hex', { 'x-hub-signature-256': `sha256=${'z'.repeat(64)}` }],
    [
      'the weaker SHA-1',
      { 'x-hub-signature': `sha1=${createHmac('sha1', SECRET).update(BODY).digest('hex')}` },
    ],
    ['a wrong token', { 'x-gitlab-token': 'the secre' }],
    ['an empty token', { 'x-gitlab-token': '' }],
    [
      'a wrong signature beside the right token',
      { 'x-hub-signature-256': sign(flipped), 'x-gitlab-token': SECRET },
    ],
  ])(`${proves('C-2-59', 'C-2-60', 'C-2-62')} refuses %s with 401`, (_, headers: Record<string, string>) => {
    expect(() => deliver(headers)).toThrow(refused(401, 'hook_signature_invalid'));
  });

  it(`${proves('C-2-63')} tells outsiders nothing about names: an unknown source is 401 without and 404 with a signature`, () => {
    expect(() => deliver({}, { source: 'nope' })).toThrow(refused(401, 'hook_signature_invalid'));
    const signed = { 'x-hub-signature-256': sign(BODY) };
    expect(() => deliver(signed, { source: 'nope' })).toThrow(refused(404, 'source_not_found'));
  });

  it('refuses a source that is never fetched with 409', () => {
    const signed = { 'x-hub-signature-256': sign(BODY) };
    expect(() => deliver(signed, { source: 'own' })).toThrow(refused(409, 'source_not_syncable'));
  });

  it.each([
    'x-github-delivery',
    'x-gitea-delivery',
    'x-gitlab-event-uuid',
  ])(`${proves('C-12.14-02')} syncs once per id in %s`, (name) => {
    const remember = createRememberedDeliveries();
    const headers = { 'x-hub-signature-256': sign(BODY), [name]: 'id-1' };
    expect(deliver(headers, { remember })).toEqual({ status: 'accepted' });
    expect(deliver(headers, { remember })).toEqual({ status: 'duplicate' });
    expect(deliver(headers, { remember, source: 'other' })).toEqual({ status: 'accepted' });
    expect(deliver({ ...headers, [name]: 'id-2' }, { remember })).toEqual({ status: 'accepted' });
  });

  it('remembers no id of a delivery that was refused', () => {
    const remember = createRememberedDeliveries();
    expect(() => deliver({ 'x-github-delivery': 'id-1' }, { remember })).toThrow(
      refused(401, 'hook_signature_invalid'),
    );
    const signed = { 'x-hub-signature-256': sign(BODY), 'x-github-delivery': 'id-1' };
    expect(deliver(signed, { remember })).toEqual({ status: 'accepted' });
  });

  it('takes deliveries without an id every time', () => {
    const remember = createRememberedDeliveries();
    const headers = { 'x-gitlab-token': SECRET };
    expect([deliver(headers, { remember }), deliver(headers, { remember })]).toEqual([
      { status: 'accepted' },
      { status: 'accepted' },
    ]);
  });
});

describe('createRememberedDeliveries', () => {
  it('forgets after a day', () => {
    let now = 1;
    const remember = createRememberedDeliveries(() => now);
    expect(remember('a')).toBe(true);
    now += 23 * 3_600_000;
    expect(remember('a')).toBe(false);
    now += 2 * 3_600_000;
    expect(remember('a')).toBe(true);
  });

  it('keeps no more than 10,000', () => {
    const remember = createRememberedDeliveries();
    for (let id = 0; id <= 10_000; id++) remember(`${id}`);
    expect(remember('10000')).toBe(false);
    expect(remember('0')).toBe(true);
  });
});
