import { createInterface } from 'node:readline';
import type { Engine } from '../engine/engine.ts';
import type { ProxyLog } from '../proxy/proxy.ts';
import { LACKING_LINE, READY_LINE } from './gateway-script.ts';
import { ACCESS_MARK, REFUSALS } from './squid-configuration.ts';

/** A connection the gateway refused. */
export interface RefusedConnection {
  readonly host: string;
  readonly port: number;
  readonly method: string;
  /** The sentence of contract 4. */
  readonly sentence: string;
}

/** What one line of the gateway's output says; undefined when it is neither of these. */
export function readGatewayLine(line: string): RefusedConnection | 'ready' | undefined {
  if (line === READY_LINE) return 'ready';
  const [mark, status, page, , method, host, port] = line.trim().split(' ');
  if (mark !== ACCESS_MARK || !status?.includes('DENIED') || !method || !host || !port) return undefined;
  const name = page?.replace(/^\d+:/, '') ?? '';
  const why = Object.entries(REFUSALS).find(([refusal]) => refusal === name)?.[1] ?? '';
  const plain = decodeHost(host);
  return {
    host: plain,
    port: Number(port) || 0,
    method,
    sentence: `egress to ${plain}:${port} not in the profile${why}`,
  };
}

/** Squid writes what is not plain in percent escapes; what cannot be read stays as it is. */
function decodeHost(host: string): string {
  try {
    const decoded = decodeURIComponent(host);
    return /^[\x21-\x7e]*$/.test(decoded) ? decoded : host;
  } catch {
    return host;
  }
}

/** The output of a gateway being followed. */
export interface FollowedGateway {
  /** Resolves when the gateway takes connections; rejects with its last lines when it ends before. */
  readonly ready: Promise<void>;
  /** True when nothing more will come: the container ended or the engine went away. */
  ended(): boolean;
  stop(): void;
}

/**
 * Follows the output of a gateway from its start: every refusal becomes a line of the proxy's log.
 *
 * @param onRefusal called for every refused connection
 */
export async function followGateway(
  engine: Engine,
  containerId: string,
  log: ProxyLog,
  onRefusal: (refused: RefusedConnection) => void,
): Promise<FollowedGateway> {
  const output = await engine.followLogs(containerId, { fromStart: true });
  const lines = createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY });
  const last: string[] = [];
  let stopped = false;
  let ended = false;
  const ready = new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      const said = readGatewayLine(line);
      if (said === 'ready') resolve();
      else if (said) onRefusal(said);
      else if (!line.startsWith(ACCESS_MARK) && line.trim() !== '') {
        if (last.push(line.trim()) > 10) last.shift();
        log(
          line.startsWith(LACKING_LINE) ? 'error' : 'debug',
          { gateway: containerId.slice(0, 12) },
          line.trim(),
        );
      }
    });
    lines.on('close', () => {
      ended = true;
      reject(new Error(last.join(' | ') || 'it ended without a word'));
    });
  });
  // Nobody waits for it after the first start.
  ready.catch(() => {});
  output.on('error', (cause) => {
    if (!stopped) log('warn', { cause: String(cause) }, 'The output of the gateway cannot be followed.');
    lines.close();
  });
  return {
    ready,
    ended: () => ended,
    stop: () => {
      stopped = true;
      lines.close();
      output.destroy();
    },
  };
}
