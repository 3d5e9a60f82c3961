import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { DIFFERENCES, type SubjectName } from './differences.ts';
import { formatReport, type Results } from './format-report.ts';
import { type Checked, NODE, type Revision, runSuite, SUITE } from './run-suite.ts';
import { type Subject, startHttpProxy, startProxyOverStdio, startServer } from './start-subjects.ts';

const isInstalled = existsSync(NODE) && existsSync(SUITE);
/** Behind standard streams a server speaks either with sessions or without; the proxy speaks both to clients. */
const WANTED: readonly { readonly revision: Revision; readonly subjects: readonly SubjectName[] }[] = [
  { revision: '2025-06-18', subjects: ['http', 'stdio'] },
  { revision: '2025-11-25', subjects: ['http', 'stdio'] },
  { revision: '2026-07-28', subjects: ['http', 'stdio', 'translated'] },
];

describe.skipIf(!isInstalled)(
  'the conformance suite (install it with `npm install --prefix tests/conformance`)',
  () => {
    const open: Subject[] = [];
    let server: Subject;
    let withSessions: Subject;
    let without: Subject;
    let overHttp: Subject;
    const results = new Map<Revision, Results>();

    const keep = async (starting: Promise<Subject>): Promise<Subject> => {
      const subject = await starting;
      open.unshift(subject);
      return subject;
    };
    beforeAll(async () => {
      server = await keep(startServer());
      overHttp = await keep(startHttpProxy(server.url));
      withSessions = await keep(startProxyOverStdio('both'));
      without = await keep(startProxyOverStdio('modern'));
    });
    afterAll(async () => {
      for (const subject of open) await subject.close();
    });

    const choose = (subject: SubjectName, revision: Revision): Subject => {
      if (subject === 'http') return overHttp;
      return subject === 'stdio' && revision === '2026-07-28' ? without : withSessions;
    };

    for (const { revision, subjects } of WANTED) {
      const proof = revision === '2026-07-28' ? proves('K-5-03') : proves('K-5-02');
      it(`${proof} says the same of a server and of the proxy before it, check by check, in ${revision}`, async () => {
        const direct = await runSuite(server.url, revision);
        expect(direct.filter(({ status }) => status !== 'SUCCESS')).toEqual([]);
        const proxied: Results['proxied'][number][] = [];
        for (const subject of subjects) {
          const checked = await runSuite(choose(subject, revision).url, revision);
          proxied.push({ subject, checked });
          const documented = DIFFERENCES.filter(
            (one) => one.subject === subject && one.revisions.includes(revision),
          ).flatMap(({ checks }) => checks);
          expect({ subject, differing: compare(direct, checked) }).toEqual({
            subject,
            differing: documented.sort(),
          });
        }
        results.set(revision, { revision, direct, proxied });
      }, 240_000);
    }

    it('is written down as it is', async () => {
      const all = WANTED.flatMap(({ revision }) => results.get(revision) ?? []);
      expect(all).toHaveLength(WANTED.length);
      await expect(formatReport(all)).toMatchFileSnapshot('./README.md');
    });
  },
);

/** Scenario, id and name of each check that is not the same on both sides. */
function compare(direct: readonly Checked[], proxied: readonly Checked[]): readonly string[] {
  const statuses = (side: readonly Checked[]) => new Map(side.map(({ check, status }) => [check, status]));
  const [ours, theirs] = [statuses(proxied), statuses(direct)];
  const all = new Set([...ours.keys(), ...theirs.keys()]);
  const differing = [...all].filter((check) => ours.get(check) !== theirs.get(check));
  return [...new Set(differing.map((check) => check.replace(/ \d+$/, '')))].sort();
}
