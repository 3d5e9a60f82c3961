import {
  type ConfigNode,
  type ConfigPath,
  findNode,
  findText,
  formatPath,
  listElements,
} from './config-tree.ts';
import type { Finding } from './locate-problem.ts';
import { suggestName } from './nearest-name.ts';
import { joinWithOr, type Rule } from './rule.ts';

const SIGN_IN: ConfigPath = ['site', 'signIn'];
const PROVIDERS: ConfigPath = ['auth', 'oauth', 'providers'];

/** The rules of `site.signIn`: a provider of `auth.oauth` that can be told, and a client there. */
export const checkSignIn: Rule = (root) => {
  if (findNode(root, SIGN_IN)?.kind !== 'map') return [];
  const providers = listElements(root, PROVIDERS);
  if (providers.length === 0) {
    // Without auth.oauth nobody could hold a token; mode anonymous may keep both for a while.
    if (findNode(root, ['auth', 'oauth']) !== undefined) return [];
    return [
      {
        path: ['site', 'signIn'],
        fault: 'key',
        message: 'site.signIn needs an identity provider, but there is no auth.oauth',
        fix: 'Add auth.oauth.providers, or remove site.signIn.',
      },
    ];
  }
  const { provider, findings } = chooseProvider(root, providers);
  return provider === undefined ? findings : checkClient(root, provider);
};

function chooseProvider(
  root: ConfigNode,
  providers: readonly ConfigPath[],
): { readonly provider?: ConfigPath; readonly findings: Finding[] } {
  const path = [...SIGN_IN, 'provider'];
  const names = providers.flatMap((one) => findText(root, [...one, 'name']) ?? []);
  if (findNode(root, path) === undefined) {
    const [only, ...others] = providers;
    if (only !== undefined && others.length === 0) return { provider: only, findings: [] };
    const message = 'site.signIn.provider is required because auth.oauth has several providers';
    return { findings: [{ path, message, fix: `Name ${joinWithOr(names)}.` }] };
  }
  const name = findText(root, path);
  const provider = providers.find((one) => findText(root, [...one, 'name']) === name);
  // What is no text is the schema's to refuse.
  if (provider !== undefined || name === undefined) return { ...(provider && { provider }), findings: [] };
  const message = `site.signIn.provider names an unknown identity provider "${name}"`;
  const fix = suggestName(name, names) ?? `Name ${joinWithOr(names)}.`;
  return { findings: [{ path, message, fix }] };
}

function checkClient(root: ConfigNode, provider: ConfigPath): Finding[] {
  const path = [...SIGN_IN, 'clientId'];
  if (findNode(root, path) !== undefined) return [];
  const secret = [...SIGN_IN, 'clientSecretFile'];
  if (findNode(root, [...provider, 'clientId']) === undefined) {
    const message = `site.signIn.clientId is required because ${formatPath(provider)} has no clientId`;
    return [
      { path, message, fix: 'Register the site as a client at the provider and put its client id here.' },
    ];
  }
  if (findNode(root, secret) === undefined) return [];
  return [
    {
      path: secret,
      fault: 'key',
      message: 'site.signIn.clientSecretFile is the secret of site.signIn.clientId, which is missing',
      fix: `Add clientId, or leave both out to use those of ${formatPath(provider)}.`,
    },
  ];
}
