import { describe, expect, it } from 'vitest';
import { siteSchema } from '../../../sources/config/schema.ts';
import { linesOf, REGISTRIES, SOURCES, VALID } from './config-texts.ts';

/** A configuration with providers and `site.signIn`, which starts on the line behind the last provider. */
const withSignIn = (signIn: string, ...providers: string[]): string =>
  `${SOURCES}${REGISTRIES}auth:\n  oauth:\n    resourceUrl: https://r.acme.com\n    providers:\n${providers.map((one) => `      - ${one}\n`).join('')}site:\n  signIn: ${signIn}\n`;
const plain = '{name: corp, issuerUrl: "https://id.acme.com", audience: x}';
const other = '{name: lab, issuerUrl: "https://lab.acme.com", audience: x}';
const client = '{name: corp, issuerUrl: "https://id.acme.com", audience: x, clientId: registry}';

describe('rules of site.signIn', () => {
  it.each([
    ['one provider and a client', withSignIn('{clientId: site}', plain)],
    ['the client of the provider', withSignIn('{}', client)],
    ['one of two providers', withSignIn('{provider: lab, clientId: site}', plain, other)],
    ['no resource indicator', withSignIn('{clientId: site, resource: none}', plain)],
    ['a resource that is no web address', withSignIn('{clientId: site, resource: "api://registry"}', plain)],
  ])('accept %s', (_title, text) => {
    expect(linesOf(text)).toEqual([]);
  });

  it.each([
    [
      'sign-in without auth.oauth',
      `${VALID}site:\n  signIn: {clientId: site}\n`,
      [
        'f:10:3: site.signIn needs an identity provider, but there is no auth.oauth. Add auth.oauth.providers, or remove site.signIn.',
      ],
    ],
    [
      'an unknown provider',
      withSignIn('{provider: crop, clientId: site}', plain),
      ['f:14:22: site.signIn.provider names an unknown identity provider "crop". Did you mean "corp"?'],
    ],
    [
      'an unknown provider that resembles none',
      withSignIn('{provider: somewhere, clientId: site}', plain, other),
      ['f:15:22: site.signIn.provider names an unknown identity provider "somewhere". Name corp or lab.'],
    ],
    [
      'several providers and none named',
      withSignIn('{clientId: site}', plain, other),
      [
        'f:15:12: site.signIn.provider is required because auth.oauth has several providers. Name corp or lab.',
      ],
    ],
    [
      'no client anywhere',
      withSignIn('{scope: openid}', plain),
      [
        'f:14:12: site.signIn.clientId is required because auth.oauth.providers[0] has no clientId. Register the site as a client at the provider and put its client id here.',
      ],
    ],
    [
      'a secret without its client',
      withSignIn('{clientSecretFile: s}', client),
      [
        'f:14:12: site.signIn.clientSecretFile is the secret of site.signIn.clientId, which is missing. Add clientId, or leave both out to use those of auth.oauth.providers[0].',
      ],
    ],
    [
      'a member that does not exist',
      withSignIn('{clientId: site, scopes: openid}', plain),
      [
        'f:14:28: unknown key "scopes" in site.signIn; allowed: provider, clientId, clientSecretFile, scope, resource, sessionKeyFile. Did you mean "scope"?',
      ],
    ],
    [
      'a resource that is no URI',
      withSignIn('{clientId: site, resource: registry}', plain),
      ['f:14:38: site.signIn.resource must be an absolute URI without a fragment, or none'],
    ],
  ])('refuse %s', (_title, text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });

  it('ask for openid and profile unless told otherwise', () => {
    expect(siteSchema.parse({ signIn: { clientId: 'site' } }).signIn).toEqual({
      clientId: 'site',
      scope: 'openid profile',
    });
  });
});
