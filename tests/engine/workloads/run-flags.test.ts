import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Dockerode from 'dockerode';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Engine, LABELS } from '../../../cli/engine/engine.ts';
import { proves } from '../../requirements/proves.ts';
import { makeContainer } from '../../support/engine-containers.ts';
import { ensureTestImages, openTestEngine, TEST_IMAGES } from '../../support/engine-images.ts';
import { callTool } from '../../support/start-mcp-fixture.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { makeWorkloadName, makeWorkloadSandbox } from '../../support/workload-sandbox.ts';

const LIMIT_MS = 180_000;
const OPEN = '--isolate-network=false';
const STDIO = ['--transport', 'stdio', OPEN];
let engine: Engine;

beforeAll(async () => {
  engine = await openTestEngine();
  await ensureTestImages(engine, ['mcp', 'gateway']);
}, 600_000);

const sandbox = () => makeWorkloadSandbox({ BERTH_GATEWAY_IMAGE: TEST_IMAGES.gateway });

describe('flags of run in a real container', { timeout: LIMIT_MS }, () => {
  it(`${proves('R-1-02', 'R-4.1-13', 'R-4.1-35')} --target-port reaches an HTTP server, and labels are on its container`, async () => {
    const { must } = sandbox();
    const name = makeWorkloadName('http');
    const flags = ['--transport', 'streamable-http', '--target-port', '9191', OPEN, '-l', 'team=blue'];
    const ran = await must(
      'run',
      '--format',
      'json',
      '--name',
      name,
      ...flags,
      TEST_IMAGES.mcp,
      '--',
      'http',
      '9191',
    );
    const { url, transport } = JSON.parse(ran.stdout);
    expect(transport).toBe('streamable-http');
    expect(await callTool(url, 'echo', { text: 'over http' })).toContain('over http');
    const [container] = await engine.listContainers([`${LABELS.workload}=${name}`]);
    expect(container?.labels.team).toBe('blue');
    const { stdout } = await must('export', name);
    expect(JSON.parse(stdout).profile.name).toBe('network');
  });

  it(`${proves('R-4.1-12')} --target-host forwards to another host than the container's own`, async () => {
    const other = await makeContainer(engine, {
      image: TEST_IMAGES.mcp,
      command: ['http', '8099'],
      network: 'bridge',
      env: { WHERE: 'the other host' },
    });
    await engine.startContainer(other);
    const address = (await engine.inspectContainer(other))?.addresses.bridge ?? '';
    const { must } = sandbox();
    const flags = ['--transport', 'streamable-http', '--target-host', address, '--target-port', '8099', OPEN];
    const ran = await must(
      'run',
      '--format',
      'json',
      '--name',
      makeWorkloadName('target'),
      ...flags,
      TEST_IMAGES.mcp,
      '--',
      'http',
      '8099',
    );
    expect(await callTool(JSON.parse(ran.stdout).url, 'env', { name: 'WHERE' })).toContain('the other host');
  });

  it(`${proves('R-4.1-31')} --secret puts a secret of the store into the environment of the server`, async () => {
    const { must, env } = makeWorkloadSandbox({
      BERTH_SECRETS_PROVIDER: 'environment',
      BERTH_SECRET_api_key: 'kept-safe',
    });
    expect(env.BERTH_SECRET_api_key).toBe('kept-safe');
    const name = makeWorkloadName('secret');
    const ran = await must(
      'run',
      '--format',
      'json',
      '--name',
      name,
      ...STDIO,
      '--secret',
      'api_key,target=API_KEY',
      TEST_IMAGES.mcp,
    );
    expect(await callTool(JSON.parse(ran.stdout).url, 'env', { name: 'API_KEY' })).toContain('kept-safe');
    expect((await must('export', name)).stdout).not.toContain('kept-safe');
  });

  it(`${proves('R-4.1-44', 'K-8.10-02')} --print-resolved-overlays shows in the terminal of run what is covered`, async () => {
    const mount = makeDirectory();
    mkdirSync(join(mount, 'keys'));
    writeFileSync(join(mount, '.berthignore'), 'keys/\n*.pem\n');
    writeFileSync(join(mount, 'server.pem'), 'private');
    const { must } = sandbox();
    const name = makeWorkloadName('overlays');
    const ran = await must(
      'run',
      '--name',
      name,
      ...STDIO,
      '-v',
      `${mount}:/data`,
      '--print-resolved-overlays',
      TEST_IMAGES.mcp,
    );
    expect(ran.stdout + ran.stderr).toContain('/data/keys');
    expect(ran.stdout + ran.stderr).toContain('/data/server.pem');
    const { url } = JSON.parse((await must('status', name, '--format', 'json')).stdout);
    expect(await callTool(url, 'read', { path: '/data/server.pem' })).not.toContain('private');
  });

  it(`${proves('K-2-18', 'K-2-19')} takes a fixed tag as it is here, and falls back to the local copy of latest with a warning`, async () => {
    const docker = new Dockerode();
    const repository = `berth-test/never-pushed-${Math.random().toString(36).slice(2, 8)}`;
    for (const tag of ['1', 'latest']) await docker.getImage(TEST_IMAGES.mcp).tag({ repo: repository, tag });
    onTestFinished(async () => {
      for (const tag of ['1', 'latest']) await docker.getImage(`${repository}:${tag}`).remove();
    });
    const { must } = sandbox();
    const quiet = '--image-verification=disabled';
    const fixed = await must('run', '--name', makeWorkloadName('fixed'), quiet, ...STDIO, `${repository}:1`);
    expect(fixed.stderr).toBe('');
    const latest = await must('run', '--name', makeWorkloadName('latest'), quiet, ...STDIO, repository);
    expect(latest.stderr).toMatch(/local copy/);
    expect(latest.stderr.trim().split('\n')).toHaveLength(1);
    await must('rm', '--all');
  });
});
