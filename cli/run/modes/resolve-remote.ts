import { UsageError } from '../../usage-error.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import { composePlan, findIdleFlags } from './compose-plan.ts';
import { deriveNameOfHost } from './derive-name.ts';
import type { Resolved } from './resolved.ts';
import type { ServerChoice } from './server-choice.ts';

/** A URL of a remote server; path and query are kept as given. @throws UsageError */
export function resolveRemote(argument: string, flags: RunFlags): Resolved {
  const url = readRemoteUrl(argument);
  const choice: ServerChoice = {
    derivedName: deriveNameOfHost(url.hostname),
    server: { kind: 'remote', url: argument },
    transport: guessTransport(url),
  };
  return {
    plan: composePlan(choice, flags),
    nameIsDerived: flags.name === undefined,
    given: flags.given,
    warnings: findIdleFlags(choice.server, flags),
  };
}

/** Servers of the former transport are by custom found at `/sse`. */
export function guessTransport(url: URL): 'sse' | 'streamable-http' {
  return /\/sse\/?$/.test(url.pathname) ? 'sse' : 'streamable-http';
}

function readRemoteUrl(argument: string): URL {
  const url = URL.canParse(argument) ? new URL(argument) : undefined;
  if (url === undefined) throw new UsageError(`"${argument}" is not a URL.`);
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('The URL of the remote server holds a user name or password.', {
      fix: 'Send them as a header: --remote-forward-headers-secret Authorization=SECRET-NAME.',
    });
  }
  if (argument.includes('#')) {
    throw new UsageError('The URL of the remote server has a fragment.', {
      fix: 'Leave out "#" and what follows.',
    });
  }
  return url;
}
