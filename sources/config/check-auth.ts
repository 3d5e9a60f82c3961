import {
  type ConfigNode,
  type ConfigPath,
  findNode,
  findText,
  formatPath,
  isTrue,
  listElements,
} from './config-tree.ts';
import type { Finding } from './locate-problem.ts';
import { isLoopbackUrl, readUrl } from './loopback-url.ts';
import { findRepeatedNames, type Rule } from './rule.ts';

export const NO_PROVIDERS = 'mode oauth needs an identity provider, but auth.oauth.providers is missing';
export const NO_PROVIDERS_FIX =
  'Add auth.oauth.resourceUrl and auth.oauth.providers, or set auth.mode: anonymous (development only).';

/** The rules of `auth` (contract 2 and 12.1, specification 5.1). */
export const checkAuth: Rule = (root) => [
  ...checkMode(root),
  ...findRepeatedNames(root, ['auth', 'oauth', 'providers'], 'identity provider'),
  ...listElements(root, ['auth', 'oauth', 'providers']).flatMap((provider) => checkIssuer(root, provider)),
];

function checkMode(root: ConfigNode): Finding[] {
  const auth = findNode(root, ['auth']);
  if (auth === undefined) {
    const message = `there is no auth block, which means mode oauth; ${NO_PROVIDERS}`;
    return [{ path: [], fault: 'missing', message, fix: NO_PROVIDERS_FIX }];
  }
  const mode = findNode(root, ['auth', 'mode']);
  const needed = mode === undefined || (mode.kind === 'scalar' && mode.value === 'oauth');
  if (!needed || auth.kind !== 'map') return [];
  const oauth = findNode(root, ['auth', 'oauth']);
  if (oauth === undefined)
    return [{ path: ['auth'], fault: 'missing', message: NO_PROVIDERS, fix: NO_PROVIDERS_FIX }];
  const path = ['auth', 'oauth', 'providers'];
  if (oauth.kind !== 'map' || findNode(root, path) !== undefined) return [];
  return [{ path, fault: 'missing', message: NO_PROVIDERS, fix: NO_PROVIDERS_FIX }];
}

/** Whether the address may be reached at all is for the connection to decide; here only plain http is refused. */
function checkIssuer(root: ConfigNode, provider: ConfigPath): Finding[] {
  const path = [...provider, 'issuerUrl'];
  const url = readUrl(findText(root, path));
  if (url?.protocol !== 'http:' || isLoopbackUrl(url) || isTrue(root, [...provider, 'insecureAllowHttp']))
    return [];
  return [
    {
      path,
      message: `${formatPath(path)} must be https`,
      fix: 'Use https, or accept the risk with insecureAllowHttp: true.',
    },
  ];
}
