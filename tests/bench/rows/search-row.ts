import type { Outcome, Row } from '../bench-context.ts';
import { createRandom, pick } from '../catalog/random.ts';
import { WORDS } from '../catalog/vocabulary.ts';
import { REGISTRY } from '../catalog/write-catalog.ts';
import { compareServers } from '../compare-servers.ts';
import type { LoadRequest } from '../load/load.ts';

const LEAST_PER_SECOND = 2000;
const MOST_P99_MS = 15;
const CONNECTIONS = 32;

/**
 * Searches that are all different as far as a cache of pages can tell (caller and text): whole words, beginnings of
 * words, words with a typo, pairs of words, in the proportions people type them.
 */
function makeSearches(tokens: readonly string[], count: number): LoadRequest[] {
  const random = createRandom(4711);
  const kinds = [wholeWord, wholeWord, beginning, beginning, typo, pair];
  const seen = new Set<string>();
  const requests: LoadRequest[] = [];
  while (requests.length < count) {
    const caller = Math.floor(random() * tokens.length);
    const text = pick(random, kinds)(random);
    const key = `${caller} ${text}`;
    if (seen.has(key) && seen.size < WORDS.length * tokens.length) continue;
    seen.add(key);
    requests.push({
      path: `/registry/${REGISTRY}/v0.1/servers?search=${encodeURIComponent(text)}`,
      headers: { Authorization: `Bearer ${tokens[caller]}` },
    });
  }
  return requests;
}

const wholeWord = (random: () => number) => pick(random, WORDS);
const pair = (random: () => number) => `${pick(random, WORDS)} ${pick(random, WORDS)}`;

function beginning(random: () => number): string {
  const word = pick(random, WORDS);
  return word.slice(0, Math.max(3, Math.ceil(word.length * 0.6)));
}

function typo(random: () => number): string {
  const word = pick(
    random,
    WORDS.filter((long) => long.length > 5),
  );
  const at = 1 + Math.floor(random() * (word.length - 2));
  return pick(random, [
    word.slice(0, at) + word.slice(at + 1),
    `${word.slice(0, at)}x${word.slice(at + 1)}`,
    word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
  ]);
}

export const searchRow: Row = {
  name: 'search',
  async measure(context): Promise<readonly Outcome[]> {
    const { scale, tokens } = context;
    const catalog = await context.catalog(scale.usual);
    const berth = await context.serve(catalog);
    try {
      const requests = makeSearches(tokens, scale.searches);
      const [result] = await compareServers(context, [{ ...berth, requests }], CONNECTIONS);
      if (!result) return [];
      const what = `search, every request another one, ${catalog.servers.toLocaleString('en-US')} servers`;
      const failed = result.failed > 0 ? `, ${result.failed} failed` : '';
      return [
        {
          what: `${what}: rate`,
          measured: `${Math.round(result.perCpuSecond).toLocaleString('en-US')} per CPU s (by the clock ${Math.round(result.perSecond).toLocaleString('en-US')}/s)${failed}`,
          target: `>= ${LEAST_PER_SECOND.toLocaleString('en-US')}/s on one core`,
          isMet: result.perCpuSecond >= LEAST_PER_SECOND && result.failed === 0,
        },
        {
          what: `${what}: p99`,
          measured: `${result.p99.toFixed(1)} ms (p50 ${result.p50.toFixed(1)} ms)`,
          target: `< ${MOST_P99_MS} ms at ${CONNECTIONS} connections`,
          isMet: result.p99 < MOST_P99_MS,
        },
      ];
    } finally {
      await berth.stop();
    }
  },
};
