import { describe, expect, it } from 'vitest';
import { isPublicPath } from '../../../server/auth/public-path.ts';

describe('isPublicPath', () => {
  it.each([
    ['/openapi.json', []],
    ['/.well-known/oauth-protected-resource', []],
    ['/.well-known/oauth-protected-resource/registry/a', []],
    ['/docs', ['/docs']],
    ['/docs/', ['/docs']],
    ['/docs/a/b', ['/docs']],
    ['/docs/a', ['/docs/']],
    ['/docs/a', ['/docs/*']],
    ['/docs/a%20b', ['/x', '/docs']],
    ['/docs/v0.1/a', ['/docs']],
    ['/anything/at/all', ['/']],
    ['/', ['/']],
  ])('%s is public with %j', (path, configured) => {
    expect(isPublicPath(path, configured)).toBe(true);
  });

  it.each([
    ['/', []],
    ['/', ['/docs']],
    ['/v1/sources', []],
    ['/openapi.json/x', []],
    ['/openapi.jsonx', []],
    ['/OpenAPI.json', []],
    ['/.well-knownx/a', []],
    ['/docs-internal', ['/docs']],
    ['/doc', ['/docs']],
    ['/Docs', ['/docs']],
    ['/registry/a/.well-known/x', []],
    ['docs', ['/docs']],
    ['', ['/']],
    ['*', ['/']],
    ['http://host/docs', ['/docs']],
    ...[
      '/docs/../v1/sources',
      '/docs/..',
      '/docs//v1',
      '//docs',
      '/docs/%2e%2e/v1',
      '/docs/%2E./v1',
      '/docs%2fx',
      '/docs%2Fx',
      '/docs/%252f..',
      '/docs/%25252e',
      '/docs/%5c..',
      '/docs\\..\\v1',
      '/docs/./v1',
      '/docs/.',
      '/docs#/v1',
      '/docs/%00',
      '/.well-known/%2e%2e/v1/sources',
      '/.well-known/../v1/sources',
    ].map((path) => [path, ['/docs', '/']] as [string, string[]]),
  ])('%s is not public with %j', (path, configured) => {
    expect(isPublicPath(path, configured)).toBe(false);
  });
});
