import type { LineOutput } from '../../server/observe/line-output.ts';
import type { ProxyLog } from '../proxy/proxy.ts';
import type { RotatingLog } from './rotating-log.ts';

/** Writes what the proxy says as one JSON object a line: `time`, `level`, `message` and the fields. */
export function createProxyLog(file: RotatingLog, debug: boolean, now: () => number): ProxyLog {
  return (level, fields, message) => {
    if (level === 'debug' && !debug) return;
    file.write(`${JSON.stringify({ time: new Date(now()).toISOString(), level, message, ...fields })}\n`);
  };
}

/** The same file, for what writes lines of its own into it. */
export function createLineOutput(file: RotatingLog): LineOutput {
  return {
    write: async (bytes) => {
      if (!file.write(Buffer.from(bytes))) throw new Error('The log of the proxy cannot be written.');
      return bytes.byteLength;
    },
    reopen: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
