import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HttpError } from './problem.ts';

export interface RateLimitConfig {
  readonly perMinute: number;
  /** How many requests may come at once; `perMinute` when absent. */
  readonly burst?: number | undefined;
}

/**
 * Counts one request of a caller.
 * @param subject the token's subject; without one the remote address counts (an IPv6 caller by its /64)
 * @throws HttpError 429 `rate_limited` with `Retry-After` in seconds
 */
export type CountRequest = (subject: string | undefined, remoteAddress: string) => Promise<void>;

/**
 * The limit per caller (contract 2 `limits.rateLimit`): `burst` requests at once, `perMinute` on average. Undefined
 * without a configuration, so that a server without limits pays nothing.
 */
export function createRateLimit(config: RateLimitConfig | undefined): CountRequest | undefined {
  if (!config) return undefined;
  const points = config.burst ?? config.perMinute;
  const limiter = new RateLimiterMemory({ points, duration: (points * 60) / config.perMinute });
  return async (subject, remoteAddress) => {
    try {
      await limiter.consume(
        subject === undefined ? `address ${callerOf(remoteAddress)}` : `subject ${subject}`,
      );
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
      throw new HttpError(429, 'rate_limited', `Too many requests. Try again in ${seconds} s.`, {
        headers: { 'Retry-After': String(seconds) },
      });
    }
  };
}

/** A host owns a whole /64 of IPv6: counting single addresses would limit nobody. */
function callerOf(address: string): string {
  const plain = address.split('%', 1)[0] ?? address;
  if (!ipaddr.isValid(plain)) return address;
  const parsed = ipaddr.process(plain);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
