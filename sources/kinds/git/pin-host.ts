import { BerthError } from '../../errors.ts';
import {
  isAddressAllowed,
  isAddressLiteral,
  type ResolveHost,
  refuseAddress,
  resolveWithSystem,
} from '../../net/address-guard.ts';
import type { GitAddress } from './git-address.ts';

/**
 * The public addresses of a repository's host, for git to connect to and to no other: git resolves names itself, so
 * checking the name alone would leave a gap between the check and the connection (contract 6).
 *
 * @throws BerthError `source_git_refused` for a local repository, `source_private_address`, `source_git_unreachable`
 */
export async function pinHost(
  address: GitAddress,
  resolve: ResolveHost = resolveWithSystem,
): Promise<string[]> {
  if (address.host === undefined) {
    throw new BerthError('source_git_refused', 'This source may not read a repository of this machine.', {
      fix: 'Use an https or ssh address.',
    });
  }
  const host = address.host.replace(/^\[|\]$/g, '');
  const addresses = isAddressLiteral(host) ? [host] : await lookUp(host, resolve);
  const allowed = addresses.filter((ip) => isAddressAllowed(ip, 'public'));
  if (allowed.length > 0) return allowed;
  const refusal = refuseAddress(host);
  throw new BerthError('source_private_address', refusal.message, {
    ...(refusal.fix === undefined ? {} : { fix: refusal.fix }),
  });
}

function lookUp(host: string, resolve: ResolveHost): Promise<string[]> {
  return new Promise((done, fail) => {
    resolve(host, { all: true }, (error, addresses) => {
      if (!error) return done(addresses.map(({ address }) => address));
      fail(
        new BerthError('source_git_unreachable', `${host} cannot be reached: the host name is unknown.`, {
          fix: 'Check `repository`.',
        }),
      );
    });
  });
}
