import type { BenchContext, Outcome, Row } from '../bench-context.ts';
import { serverName } from '../catalog/make-server.ts';
import { REGISTRY } from '../catalog/write-catalog.ts';
import { compareServers, describeRatio } from '../compare-servers.ts';
import type { LoadRequest } from '../load/load.ts';
import { captureAnswer, captureAnswers, startBare } from '../processes/bare-answer.ts';

const BASE = `/registry/${REGISTRY}/v0.1/servers`;
const CONNECTIONS = 64;
const DETAILS = 400;

/** A page of 30 for each caller in turn, with one cursor-free path: what clients ask most. */
export function listRequests(tokens: readonly string[]): LoadRequest[] {
  return tokens.map((token) => ({ path: BASE, headers: bearer(token) }));
}

/** Servers spread over the catalog, each asked for by a caller who sees it. */
export async function detailRequests(
  { tokens }: Pick<BenchContext, 'tokens'>,
  origin: string,
  servers: number,
  version: string,
): Promise<LoadRequest[]> {
  const requests: LoadRequest[] = [];
  for (
    let number = 0;
    number < servers && requests.length < DETAILS;
    number += Math.max(1, Math.floor(servers / DETAILS / 4))
  ) {
    const token = tokens[number % tokens.length] ?? '';
    const path = `${BASE}/${encodeURIComponent(serverName(number))}/versions/${version}`;
    const request = { path, headers: bearer(token) };
    if ((await captureAnswer(origin, request)).status === 200) requests.push(request);
  }
  return requests;
}

function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

/** Adds the entity tag each request is answered with, so that all answers are 304. */
async function conditional(origin: string, requests: readonly LoadRequest[]): Promise<LoadRequest[]> {
  const all: LoadRequest[] = [];
  for (const request of requests) {
    const { headers } = await captureAnswer(origin, request);
    const etag = headers[headers.indexOf('ETag') + 1] ?? '';
    all.push({ ...request, headers: { ...request.headers, 'If-None-Match': etag } });
  }
  return all;
}

type MakeRequests = (context: BenchContext, origin: string) => Promise<LoadRequest[]>;

function againstBare(name: string, what: string, least: number, makeRequests: MakeRequests): Row {
  return {
    name,
    async measure(context): Promise<readonly Outcome[]> {
      const berth = await context.serve(await context.catalog(context.scale.usual));
      try {
        const requests = await makeRequests(context, berth.origin);
        if (requests.length === 0) throw new Error(`${name}: no request is answered`);
        const bare = await startBare({ answers: await captureAnswers(berth.origin, requests) });
        try {
          const sides = [berth, bare].map((side) => ({ ...side, requests }));
          const [ours, theirs] = await compareServers(context, sides, CONNECTIONS);
          if (!ours || !theirs) return [];
          const { ratio, measured } = describeRatio(ours, theirs);
          const isMet = ratio >= least && ours.failed === 0;
          return [{ what, measured, target: `>= ${least.toFixed(2)} of bare`, isMet }];
        } finally {
          await bare.stop();
        }
      } finally {
        await berth.stop();
      }
    },
  };
}

export const consumerRows: readonly Row[] = [
  againstBare('list', 'list page of 30, claim-filtered, 40 callers', 0.7, async ({ tokens }) =>
    listRequests(tokens),
  ),
  againstBare('detail', 'detail of one version', 0.7, (context, origin) =>
    detailRequests(context, origin, context.scale.usual, '1.4.2'),
  ),
  againstBare('latest', 'versions/latest', 0.7, (context, origin) =>
    detailRequests(context, origin, context.scale.usual, 'latest'),
  ),
  againstBare('not-modified', 'list page, 304', 0.8, async ({ tokens }, origin) =>
    conditional(origin, listRequests(tokens)),
  ),
];
