import type { Log } from '../../server/observe/log.ts';
import type { ProxyLog } from './proxy.ts';

/** The proxy's log as pieces shared with the registry take one. */
export function asLog(log: ProxyLog): Log {
  return {
    debug: (fields, message) => log('debug', { ...fields }, message),
    info: (fields, message) => log('info', { ...fields }, message),
    warn: (fields, message) => log('warn', { ...fields }, message),
    error: (fields, message) => log('error', { ...fields }, message),
  };
}
