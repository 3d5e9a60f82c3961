import { Agent, buildConnector } from 'undici';
import {
  type AddressRule,
  createGuardedLookup,
  isAddressAllowed,
  isAddressLiteral,
  type ResolveHost,
  refuseAddress,
} from './address-guard.ts';

export interface GuardedAgentOptions {
  readonly rule: AddressRule;
  readonly resolve: ResolveHost;
  /** PEM of certificate authorities to trust instead of the system's. */
  readonly ca?: string | Buffer;
  /** Milliseconds a connection may take to be made. */
  readonly connectTimeoutMs: number;
}

/**
 * An undici agent that checks every address at the moment it connects. Literals are checked in the connector because
 * no lookup happens for them; names are checked in the lookup, whose answer is what is connected to, so a name that
 * changes its address between two lookups gains nothing.
 */
export function createGuardedAgent(options: GuardedAgentOptions): Agent {
  const connect = buildConnector({
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    timeout: options.connectTimeoutMs,
    ...(options.rule === 'any' ? {} : { lookup: createGuardedLookup(options.rule, options.resolve) }),
  });
  return new Agent({
    connect(target, callback) {
      if (isAddressLiteral(target.hostname) && !isAddressAllowed(target.hostname, options.rule)) {
        callback(refuseAddress(target.hostname), null);
        return;
      }
      connect(target, callback);
    },
  });
}
