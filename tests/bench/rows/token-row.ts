import type { BenchContext, Outcome, Row } from '../bench-context.ts';
import { AUDIENCE, callerClaims, REGISTRY, SOURCE_COUNT } from '../catalog/write-catalog.ts';
import { issueMany } from '../issuer.ts';
import { median } from '../median.ts';
import { captureAnswer, startBare } from '../processes/bare-answer.ts';
import { runScript } from '../processes/run-script.ts';

const LEAST = 0.8;
const CONNECTIONS = 64;
const PATH = `/registry/${REGISTRY}/v0.1/servers?limit=1`;

/** Tokens nobody has seen: against jose alone, and against a bare server that verifies with jose. */
export const tokenRow: Row = {
  name: 'token',
  async measure(context): Promise<readonly Outcome[]> {
    const { issuer, scale } = context;
    const tokens = await issueMany(issuer, scale.newTokens, (index) => callerClaims(index % SOURCE_COUNT));
    return [await compareAlone(context, tokens), await compareServing(context, tokens)];
  },
};

async function compareAlone({ issuer, scale }: BenchContext, tokens: readonly string[]): Promise<Outcome> {
  const input = {
    tokens,
    jwk: issuer.jwk,
    issuerUrl: issuer.url,
    audience: AUDIENCE,
    concurrency: CONNECTIONS,
  };
  const ratios: number[] = [];
  let last = { ours: 0, theirs: 0 };
  for (let run = 0; run < scale.runs; run++) {
    last = await runScript<typeof last>('server', 'verify-tokens.ts', input);
    ratios.push(last.ours / last.theirs);
  }
  const ratio = median(ratios);
  return {
    what: 'first sight of an RS256 token: authenticator against jose jwtVerify, 64 at once',
    measured: `${ratio.toFixed(2)} (${Math.round(last.ours).toLocaleString('en-US')} of ${Math.round(last.theirs).toLocaleString('en-US')} per CPU s)`,
    target: `>= ${LEAST.toFixed(2)}`,
    isMet: ratio >= LEAST,
  };
}

async function compareServing(context: BenchContext, tokens: readonly string[]): Promise<Outcome> {
  const { issuer, scale, load } = context;
  const requests = tokens.map((token) => ({ path: PATH, headers: { Authorization: `Bearer ${token}` } }));
  const catalog = await context.catalog(scale.small);
  const rates: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] };
  const known = { path: PATH, headers: { Authorization: `Bearer ${context.tokens[0]}` } };
  for (let run = 0; run < scale.runs; run++) {
    // A server that was just started remembers no token.
    const berth = await context.serve(catalog);
    const answer = await captureAnswer(berth.origin, known);
    const bare = await startBare({
      answers: [answer],
      verify: { jwk: issuer.jwk, issuer: issuer.url, audience: AUDIENCE },
    });
    for (const [side, server] of [
      ['ours', berth],
      ['theirs', bare],
    ] as const) {
      const warm = requests.slice(0, 500);
      await load({ origin: server.origin, requests: warm, connections: CONNECTIONS, seconds: 1 });
      const before = await server.cpuSeconds();
      const fresh = requests.slice(500);
      const result = await load({
        origin: server.origin,
        requests: fresh,
        connections: CONNECTIONS,
        seconds: 1,
      });
      if (scale.judges && result.requests > fresh.length)
        throw new Error('token: more requests than tokens; issue more');
      if (result.failed > 0) throw new Error(`token: ${result.failed} requests failed`);
      rates[side].push(result.requests / ((await server.cpuSeconds()) - before));
    }
    await Promise.all([berth.stop(), bare.stop()]);
  }
  const [ours, theirs] = [median(rates.ours), median(rates.theirs)];
  return {
    what: 'first sight of an RS256 token: served, against bare + jose jwtVerify',
    measured: `${(ours / theirs).toFixed(2)} (${Math.round(ours).toLocaleString('en-US')} of ${Math.round(theirs).toLocaleString('en-US')} per CPU s)`,
    target: `>= ${LEAST.toFixed(2)}`,
    isMet: ours / theirs >= LEAST,
  };
}
