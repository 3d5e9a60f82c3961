import { describe, expect, it } from 'vitest';
import { hideValues, listSecretValues } from '../../../cli/build/credentials-in-files.ts';
import { explainBuildFailure } from '../../../cli/build/explain-build-failure.ts';

describe('a failed build', () => {
  it.each([
    ['npm error code E404\nnpm error 404 Not Found - GET x', 'no such package (404 Not Found)'],
    ['npm error code ETARGET', 'no such version'],
    ['Because nope was not found in the package registry and you require nope', 'no such package or version'],
    [
      'package x has several commands and none is named x: a, b',
      'several commands and none is named x: a, b',
    ],
    ['go: a.b/c@v1: reading https://p/a.b/c/@v/v1.info: 404 Not Found', '404 Not Found'],
    ['E: Unable to locate package nope', 'the distribution has no package nope'],
    ['ERROR: unable to select packages:\n  nope (no such package):', 'the distribution has no package nope'],
    ['npm error code SELF_SIGNED_CERT_IN_CHAIN', '--ca-cert'],
    ['npm error code EAI_AGAIN', 'cannot be reached'],
  ])('says why: %s', (log, why) => {
    const failure = explainBuildFailure('npx://it', `Image t could not be built: code 1\n${log}`, undefined);
    expect(failure.code).toBe('build_failed');
    expect(failure.message).toMatch(/^npx:\/\/it could not be built: /);
    expect(failure.message.split('\n')[0]).toContain(why);
    expect(failure.message).toContain(log);
  });
});

it('knows the secrets of the build settings and hides them', () => {
  const values = listSecretValues({
    env: { GOPRIVATE: 'example.com', MY_TOKEN: 'tokentoken', UV_INDEX_URL: 'https://u:pass-word@h/simple' },
    authFiles: {
      npmrc: '//r.example/:_authToken=npm_abcdef\nregistry=https://r.example/',
      netrc: 'machine h login me password hunter22',
      'pip.conf': '[global]\nindex-url = https://a:pip-secret@h/simple',
    },
  });
  expect([...values].sort()).toEqual(['hunter22', 'npm_abcdef', 'pass-word', 'pip-secret', 'tokentoken']);
  expect(hideValues('GET https://u:pass-word@h npm_abcdef', values)).toBe('GET https://u:***@h ***');
});
