import { describe, expect, it } from 'vitest';
import { isTokenText, sliceToken } from '../../../server/auth/bearer.ts';
import { challengeWithoutProvider, formatChallenge } from '../../../server/auth/challenge.ts';
import { describeProtectedResource } from '../../../server/auth/protected-resource-metadata.ts';
import { refuse } from '../../../server/auth/refusal.ts';
import { authSchema } from '../../../sources/config/schema.ts';
import { proves } from '../../requirements/proves.ts';
import { build, RESOURCE } from './build-authenticator.ts';

const provider = { name: 'p', issuerUrl: 'https://idp.example/realms/a/', audience: 'a' };

describe('Authorization header', () => {
  const { authenticator } = build([{ ...provider, allowPrivateIP: false, insecureAllowHttp: false }]);

  it.each([
    'Bearer abc',
    'bearer abc',
    'BEARER abc',
    'Bearer a-._~+/b==',
  ])(`${proves('S-5.2-01')} reads %j`, (header) => {
    expect(sliceToken(header)).toBe(header.slice(7));
    expect(isTokenText(header.slice(7))).toBe(true);
  });

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Bearer  abc',
    ' Bearer abc',
    'Bearer abc ',
    'Bearer\tabc',
    'Bearer "abc"',
    "Bearer 'abc'",
    'Bearer abc def',
    'Bearer abc, Bearer def',
    'Bearer=abc',
    'Basic YTpi',
    'abc',
    'Bearer a\nb',
    'Bearer é',
    `Bearer ${'a'.repeat(20_000)}`,
  ])(`${proves('S-5.2-02', 'C-12.12-02')} refuses %j`, (header) => {
    expect(authenticator.authenticate(header, '/v1/me')).toMatchObject({
      failure: 'invalid_request',
      reason: 'malformed_header',
    });
  });

  it('is asked for when it is absent', () => {
    const failure = authenticator.authenticate(undefined, '/v1/me');
    expect(failure).toMatchObject({ failure: 'invalid_request', reason: 'missing' });
  });
});

describe('challenge', () => {
  it(`${proves('C-7-21', 'S-5.3-04')} names realm, error, description and the metadata document`, () => {
    const { authenticator } = build([{ ...provider, allowPrivateIP: false, insecureAllowHttp: false }]);
    expect(authenticator.challenge(refuse('expired'))).toBe(
      `Bearer realm="mcp-registry", error="invalid_token", error_description="token expired", resource_metadata="${RESOURCE}/.well-known/oauth-protected-resource"`,
    );
  });

  it('keeps the path of the resource and drops its trailing slash', () => {
    expect(formatChallenge(refuse('missing'), { realm: 'r', resourceUrl: 'https://h/base//' })).toContain(
      'resource_metadata="https://h/base/.well-known/oauth-protected-resource"',
    );
  });

  it('escapes what would end a value or the header', () => {
    const value = formatChallenge(refuse('missing'), { realm: 'a"b\\c\r\nX-Evil: 1 é' });
    expect(value).toContain('realm="a\\"b\\\\c X-Evil: 1 ?"');
    expect(value).toMatch(/^[\x20-\x7e]+$/);
  });

  it('exists without a provider for anonymous mode', () => {
    expect(challengeWithoutProvider()).toMatch(
      /^Bearer realm="mcp-registry", error="invalid_request", error_d/,
    );
  });
});

describe('protected-resource metadata', () => {
  const oauth = authSchema.parse({
    oauth: {
      resourceUrl: 'https://h/base/',
      providers: [provider, { ...provider, name: 'q', audience: 'b' }],
    },
  }).oauth;
  if (!oauth) throw new Error('no oauth block');

  it(`${proves('S-2.7-01', 'S-2.7-02', 'S-2.7-03', 'S-2.7-04', 'C-7-22')} is the document of RFC 9728, each issuer once and byte for byte`, () => {
    expect(describeProtectedResource(oauth)).toEqual({
      resource: 'https://h/base/',
      authorization_servers: ['https://idp.example/realms/a/'],
      bearer_methods_supported: ['header'],
      resource_documentation: 'https://h/base/docs/api',
      scopes_supported: ['mcp-registry:read', 'mcp-registry:write'],
    });
  });

  it('names the registry at the path-inserted location', () => {
    expect(describeProtectedResource(oauth, 'team').resource).toBe('https://h/base/registry/team');
  });
});
