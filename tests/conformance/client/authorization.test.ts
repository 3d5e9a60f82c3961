import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { childEnvironment } from '../../support/child-environment.ts';
import { NODE, SUITE } from '../run-suite.ts';
import { EXCEPTIONS } from './exceptions.ts';

const checksSchema = z.array(z.object({ id: z.string(), status: z.string() }));
const isInstalled = existsSync(NODE) && existsSync(SUITE);
const REVISIONS = ['2025-11-25', '2026-07-28'];
const HEAD = `# The login to remote servers

Authorization scenarios of the official suite against \`connect.ts\`: our login, credentials and proxy, with a client of the
SDK before them. Each cell says how many checks passed, of how many that were made.

| revision | scenario | passed |
|---|---|---|
`;

describe.skipIf(!isInstalled)('the authorization scenarios of the conformance suite', () => {
  let directory = '';
  const rows: string[] = [];
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'berth-authorization-'));
    // One file starts much sooner than sources: the suite runs all its scenarios at once.
    await build({
      entryPoints: ['tests/conformance/client/connect.ts'],
      outfile: join(directory, 'connect.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['open'],
      logLevel: 'error',
      banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    });
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const known = (revision: string) =>
    Object.keys(EXCEPTIONS).filter((one) => revision === '2026-07-28' || !one.includes('sep-2350'));
  for (const revision of REVISIONS) {
    it(`come out as written down in ${revision}`, async () => {
      const results = join(directory, revision);
      const command = `${process.execPath} ${join(directory, 'connect.mjs')}`;
      const wish = ['--command', command, '--suite', 'auth', '--spec-version', revision, '-o', results];
      const child = spawn(NODE, [SUITE, 'client', ...wish], {
        env: childEnvironment(),
        stdio: 'ignore',
        timeout: 60_000,
      });
      await once(child, 'close');
      const failed: string[] = [];
      for (const run of (await readdir(join(results, 'auth'))).sort()) {
        const scenario = run.replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
        const text = await readFile(join(results, 'auth', run, 'checks.json'), 'utf8');
        const checks = checksSchema.parse(JSON.parse(text)).filter(({ status }) => status !== 'INFO');
        const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
        rows.push(`| ${revision} | ${scenario} | ${passed} of ${checks.length} |`);
        for (const { id, status } of checks) if (status !== 'SUCCESS') failed.push(`${scenario} ${id}`);
      }
      expect(failed.sort()).toEqual(known(revision).sort());
    }, 70_000);
  }

  it('are written down as they are', async () => {
    const reasons = Object.entries(EXCEPTIONS).map(([check, reason]) => `- \`${check}\`: ${reason}`);
    const text = `${HEAD}${rows.join('\n')}\n\n## Exceptions\n\n${reasons.join('\n')}\n`;
    await expect(text).toMatchFileSnapshot('./README.md');
  });
});
