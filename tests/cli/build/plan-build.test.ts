import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BuildPlan } from '../../../cli/build/build-plan.ts';
import { NO_BUILD_SETTINGS, readProxyVariables } from '../../../cli/build/build-settings.ts';
import { joinStages } from '../../../cli/build/dockerfile.ts';
import { planBuild } from '../../../cli/build/plan-build.ts';
import type { ProtocolServer } from '../../../cli/run/plan.ts';
import { UsageError } from '../../../cli/usage-error.ts';
import { proves } from '../../requirements/proves.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';

function plan(given: Partial<ProtocolServer> = {}, settings = NO_BUILD_SETTINGS): Promise<BuildPlan> {
  const server: ProtocolServer = {
    kind: 'protocol',
    scheme: 'npx',
    package: 'name',
    local: false,
    addPackages: [],
    runtimeArguments: [],
    ...given,
  };
  return planBuild(server, settings);
}

const fileOf = (made: BuildPlan, path: string) =>
  made.files.find((file) => file.path === path)?.content.toString();

function makeCertificate(): string {
  const file = join(makeDirectory(), 'ca.pem');
  const options = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=berth test', '-days', '2'];
  const text = execFileSync('openssl', ['req', '-x509', ...options, '-keyout', '-'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  writeFileSync(file, text);
  return file;
}

describe('the plan of a build', () => {
  it(`${proves('K-2-21')} has two stages and a numeric user without rights`, async () => {
    for (const scheme of ['npx', 'uvx'] as const) {
      const text = joinStages((await plan({ scheme })).stages);
      expect(text.match(/^FROM /gm)).toHaveLength(2);
      expect(text).toContain('COPY --from=builder /opt/berth /opt/berth');
      expect(text).toMatch(/\nUSER 10001:10001\nENTRYPOINT \["\/opt\/berth\/run"\]\n$/);
    }
    expect((await plan({ package: '@Scope/Name@1.0.0' })).repository).toBe('berth/npx-scope-name');
  });

  it(`${proves('K-2-23')} is the same for the same inputs and another for any other`, async () => {
    const certificate = makeCertificate();
    const all = await Promise.all([
      plan(),
      plan({ package: 'name@1' }),
      plan({ scheme: 'uvx' }),
      plan({ runtimeImage: 'x:1' }),
      plan({ addPackages: ['git'] }),
      plan({ caCert: certificate }),
      plan({ runtimeArguments: ['--package', 'more'] }),
      plan({}, { env: { A: '1' }, authFiles: {} }),
      plan({}, { env: { A: '2' }, authFiles: {} }),
      plan({}, { env: {}, authFiles: { npmrc: 'a' } }),
    ]);
    expect(new Set(all.map(({ fingerprint }) => fingerprint)).size).toBe(all.length);
    expect((await plan()).fingerprint).toBe(all[0]?.fingerprint);
    const proxied = await plan({}, { ...NO_BUILD_SETTINGS, proxies: { HTTP_PROXY: 'http://p' } });
    expect(proxied.fingerprint).toBe(all[0]?.fingerprint);
  });

  it(`${proves('R-4.1-37')} starts from --runtime-image, for go in both stages`, async () => {
    expect((await plan()).baseImages).toEqual(['node:24-alpine']);
    expect((await plan({ scheme: 'uvx' })).baseImages).toEqual(['python:3.14-slim']);
    const go = { scheme: 'go', package: 'example.com/a/b' } as const;
    expect((await plan(go)).baseImages).toEqual(['golang:1.26-alpine', 'alpine:3.23']);
    for (const given of [{}, { scheme: 'uvx' }, go] as const) {
      const made = await plan({ ...given, runtimeImage: 'own:2' });
      expect(made.baseImages).toEqual(['own:2']);
      expect(joinStages(made.stages).match(/^FROM .*/gm)).toEqual(['FROM own:2 AS builder', 'FROM own:2']);
    }
  });

  it(`${proves('K-2-25', 'R-4.1-39')} trusts --ca-cert in both stages before anything uses the network`, async () => {
    const made = await plan({ caCert: makeCertificate() });
    const lines = joinStages(made.stages).split('\n');
    const stages = lines.flatMap((line, index) => (line.startsWith('FROM ') ? [index] : []));
    for (const start of stages) {
      const stage = lines.slice(start);
      const copied = stage.indexOf('COPY berth/ /berth/');
      const variables = stage.findIndex((line) => line.startsWith('ENV SSL_CERT_FILE='));
      const first = stage.findIndex((line) => line.startsWith('RUN '));
      expect(copied).toBeGreaterThan(0);
      expect(variables).toBeGreaterThan(copied);
      expect(first).toBeGreaterThan(variables);
      for (const name of [
        'NODE_EXTRA_CA_CERTS',
        'PIP_CERT',
        'REQUESTS_CA_BUNDLE',
        'UV_SYSTEM_CERTS',
        'UV_NATIVE_TLS',
        'GIT_SSL_CAINFO',
      ]) {
        expect(stage[variables]).toContain(`${name}=`);
      }
    }
    for (const name of ['prepare-builder.sh', 'prepare-runtime.sh']) {
      const calls = fileOf(made, `berth/${name}`)?.split('\n') ?? [];
      const needs = calls.findIndex((line) => line.startsWith('command -v node'));
      expect(calls.indexOf('trust')).toBeGreaterThan(0);
      expect(calls.indexOf('trust')).toBeLessThan(needs);
    }
    expect(fileOf(made, 'berth/ca.pem')).toMatch(/^-----BEGIN CERTIFICATE-----/);
    expect(fileOf(made, 'berth/ca.pem')).not.toContain('PRIVATE KEY');
  });

  it(`${proves('R-4.1-39')} refuses a --ca-cert that is missing or no certificate`, async () => {
    const file = join(makeDirectory(), 'x.pem');
    await expect(plan({ caCert: file })).rejects.toMatchObject({ code: 'ca_cert_invalid', at: { file } });
    writeFileSync(file, 'hello');
    await expect(plan({ caCert: file })).rejects.toMatchObject({ code: 'ca_cert_invalid' });
    writeFileSync(file, '-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n');
    await expect(plan({ caCert: file })).rejects.toMatchObject({ code: 'ca_cert_invalid' });
  });

  it(`${proves('R-4.1-38')} installs --runtime-add-package in both stages and refuses what is no package`, async () => {
    const made = await plan({ addPackages: ['git', 'libxml2-dev'] });
    for (const name of ['prepare-builder.sh', 'prepare-runtime.sh']) {
      expect(fileOf(made, `berth/${name}`)).toContain(`packages='git libxml2-dev'`);
    }
    for (const bad of ['-y', 'a b', 'a;b', '$(x)', '']) {
      await expect(plan({ addPackages: [bad] })).rejects.toBeInstanceOf(UsageError);
    }
  });

  it(`${proves('K-2-26')} takes the proxy variables of the environment, in both cases`, () => {
    const env = { HTTP_PROXY: 'http://a', https_proxy: 'http://b', NO_PROXY: 'c', OTHER: 'd', ALL_PROXY: '' };
    expect(readProxyVariables(env)).toEqual({
      HTTP_PROXY: 'http://a',
      https_proxy: 'http://b',
      NO_PROXY: 'c',
    });
  });

  it('honours what a registry entry wants of npx and uvx, and refuses what it cannot', async () => {
    const npx = await plan({ runtimeArguments: ['-y', '--package=more@2'] });
    expect(fileOf(npx, 'berth/install.sh')).toContain(
      "npm install --omit=dev --no-audit --no-fund --no-update-notifier --loglevel=error 'name' 'more@2'",
    );
    const uvx = await plan({
      scheme: 'uvx',
      package: 'command',
      runtimeArguments: ['--from', 'package[x]@1.0', '--with', 'more', '--python', '3.12'],
    });
    expect(fileOf(uvx, 'berth/install.sh')).toContain(
      "uv tool install '--with' 'more' '--python' '3.12' 'package[x]==1.0'",
    );
    expect(uvx.repository).toBe('berth/uvx-package-x');
    await expect(plan({ runtimeArguments: ['--ignore-scripts=no'] })).rejects.toMatchObject({
      code: 'runtime_argument_unsupported',
    });
  });

  it.each([
    ['npx', 'a; rm -rf /'],
    ['npx', '--global'],
    ['npx', '@a/../b'],
    ['npx', 'a@$(id)'],
    ['npx', "a'b"],
    ['npx', ''],
    ['uvx', '-r'],
    ['uvx', 'a==1 --index-url=x'],
    ['uvx', 'git+https://x/y'],
    ['go', 'name'],
    ['go', 'example.com/../x'],
    ['go', 'example.com/a@`id`'],
  ] as const)('%s refuses %s', async (scheme, name) => {
    await expect(plan({ scheme, package: name })).rejects.toBeInstanceOf(UsageError);
  });

  it.each([
    ['npx', '@modelcontextprotocol/server-everything@2026.8.31'],
    ['npx', 'a@latest'],
    ['npx', 'a@^1.2.3'],
    ['uvx', 'mcp-server-time@2025.1.1'],
    ['uvx', 'a[b,c]==1.0.post1'],
    ['go', 'github.com/a/b/cmd/c@v1.2.3-0.20200101000000-abcdef+incompatible'],
  ] as const)('%s takes %s', async (scheme, name) => {
    expect((await plan({ scheme, package: name })).title).toBe(`${scheme}://${name}`);
  });

  it('writes shell that a shell reads', async () => {
    for (const scheme of ['npx', 'uvx', 'go'] as const) {
      const made = await plan({ scheme, package: 'example.com/a', ...(scheme !== 'go' && { package: 'a' }) });
      for (const { path, content } of made.files.filter((file) => file.path.endsWith('.sh'))) {
        execFileSync('sh', ['-n'], { input: content });
        expect(path).toMatch(/^berth\//);
      }
    }
  });
});
