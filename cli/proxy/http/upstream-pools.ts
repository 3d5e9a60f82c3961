import { rootCertificates } from 'node:tls';
import { Pool } from 'undici';

const CONNECT_MS = 10_000;
/** A burst of clients leaves a connection each: they go soon, however long the server would keep them. */
const MAX_IDLE_MS = 4_000;

/** Connections to the server, kept open between requests; one pool per origin. */
export interface UpstreamPools {
  find(origin: string): Pool;
  close(): Promise<void>;
}

/** @param ca PEM of authorities trusted besides those of the system */
export function createUpstreamPools(ca: string | undefined): UpstreamPools {
  const pools = new Map<string, Pool>();
  const connect = { timeout: CONNECT_MS, ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }) };
  return {
    find(origin) {
      const known = pools.get(origin);
      if (known) return known;
      // A server that comes back elsewhere is a new origin; nobody asks at the old one again.
      for (const [old, pool] of pools) {
        pools.delete(old);
        void pool.close();
      }
      const pool = new Pool(origin, {
        connect,
        bodyTimeout: 0,
        headersTimeout: 0,
        keepAliveMaxTimeout: MAX_IDLE_MS,
      });
      pools.set(origin, pool);
      return pool;
    },
    async close() {
      const all = [...pools.values()];
      pools.clear();
      await Promise.all(all.map((pool) => pool.destroy()));
    },
  };
}
