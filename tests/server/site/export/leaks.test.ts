import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BuiltSite } from '../../../../server/site/built-site.ts';
import { proves } from '../../../requirements/proves.ts';
import { makeServer, makeSkill } from '../../../support/make-entry.ts';
import { makeSegment, makeWorld } from '../../../support/make-world.ts';
import { exportWorld, makeAudience, openPages } from './export-world.ts';

let site: BuiltSite;
beforeAll(async () => {
  site = await openPages();
});

/** Words that stand for one source or registry each, and are nowhere else. */
const WORDS = ['qalfa', 'qbravo', 'qcharlie', 'qdelta', 'qecho', 'qfoxtrot', 'qgolf'] as const;

const claims = fc.dictionary(
  fc.constantFrom('org', 'team'),
  fc.oneof(fc.constantFrom('vx', 'vy'), fc.uniqueArray(fc.constantFrom('vx', 'vy', 'vz'), { minLength: 1 })),
  { maxKeys: 2 },
);

/** The rule as the specification states it, written anew: some claims, and of each key a value that is held. */
function passes(wanted: Record<string, string | string[]>, held: Record<string, string | string[]>): boolean {
  const keys = Object.entries(wanted);
  return (
    keys.length > 0 &&
    keys.every(([key, values]) => [values].flat().some((value) => [held[key] ?? []].flat().includes(value)))
  );
}

const places = fc.record({
  sources: fc.array(claims, { minLength: 1, maxLength: 4 }),
  registries: fc.array(fc.record({ claims, lists: fc.integer({ min: 1, max: 15 }) }), {
    minLength: 1,
    maxLength: 3,
  }),
  audience: claims,
});

/** An entry that has its word everywhere an entry can have one. */
function fill(word: string) {
  const meta = {
    'io.modelcontextprotocol.registry/publisher-provided': {
      'io.github.stacklok': { [word]: { tags: [word], tools: [word], provenance: { repository_uri: word } } },
    },
  };
  const body = {
    title: `Title ${word}`,
    description: `Text ${word}`,
    websiteUrl: `https://${word}.example.com/`,
    repository: { url: `https://git.example.com/${word}`, source: 'git' },
    packages: [{ registryType: 'npm', identifier: word, version: '1.0.0', transport: { type: 'stdio' } }],
  };
  const extras = { body, tags: [word], tools: [word], vendorMeta: meta };
  return [
    makeServer(`io.${word}/server`, '1.0.0', extras),
    makeServer(`io.${word}/server`, '2.0.0', {
      ...extras,
      status: 'deprecated' as const,
      statusMessage: word,
    }),
    makeServer('io.shared/server', '1.0.0', { ...extras, body: { ...body, description: `Ours ${word}` } }),
    makeSkill(`${word}/skill`, '1.0.0', { tags: [word], body: { description: `Skill ${word}` } }),
  ];
}

describe('an export', () => {
  it(`${proves('C-2-79', 'C-2-80')} holds what the claims of its audience open and no word of anything else`, async () => {
    await fc.assert(
      fc.asyncProperty(places, async ({ sources, registries, audience }) => {
        const segments = await Promise.all(
          sources.map((own, i) =>
            makeSegment(`${WORDS[i]}-source`, fill(WORDS[i] ?? ''), own, {
              kind: 'git',
              commit: `${WORDS[i]}`,
            }),
          ),
        );
        const made = registries.map(({ claims: own, lists }, i) => ({
          word: WORDS[i + 4] ?? '',
          claims: own,
          listed: sources.map((_, at) => at).filter((at) => (lists >> at) & 1),
        }));
        const world = makeWorld(
          Object.fromEntries(
            made.map(({ word, claims: own, listed }) => [
              word,
              {
                claims: own,
                description: `About ${word}`,
                segments: listed.flatMap((at) => segments[at] ?? []),
              },
            ]),
          ),
        );
        const { files, registries: count } = await exportWorld(world, makeAudience(audience), site);
        const bytes = [...files].map(([path, content]) => `${path}\n${content}`).join('\n');

        const open = made.filter((one) => passes(one.claims, audience));
        const seen = new Set(
          open.flatMap(({ listed }) => listed.filter((at) => passes(sources[at] ?? {}, audience))),
        );
        expect(count).toBe(open.length);
        for (const { word } of made) expect(bytes.includes(word)).toBe(open.some((one) => one.word === word));
        for (const at of sources.keys())
          expect([at, bytes.includes(WORDS[at] ?? '')]).toEqual([at, seen.has(at)]);
        // Claims themselves are nowhere, neither those of the audience nor those of what it sees.
        expect(bytes).not.toMatch(/\bv[xyz]\b/);
        for (const { word, listed } of open) {
          const first = listed.find((at) => passes(sources[at] ?? {}, audience));
          const page = files.get(`catalog/${word}/servers/io.shared/server/index.html`);
          if (first === undefined) expect(page).toBeUndefined();
          else expect(String(page)).toContain(`Ours ${WORDS[first]}`);
        }
      }),
      { numRuns: 40 },
    );
  });
});
