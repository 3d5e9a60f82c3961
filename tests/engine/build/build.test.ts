import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Dockerode from 'dockerode';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuildSettings, NO_BUILD_SETTINGS } from '../../../cli/build/build-settings.ts';
import { type BuiltImage, ensureBuilt } from '../../../cli/build/ensure-built.ts';
import { packContext } from '../../../cli/build/pack-context.ts';
import { planBuild } from '../../../cli/build/plan-build.ts';
import { type Engine, type EngineProgress, LABELS } from '../../../cli/engine/engine.ts';
import type { ProtocolServer } from '../../../cli/run/plan.ts';
import { proves } from '../../requirements/proves.ts';
import { makeContainer } from '../../support/engine-containers.ts';
import { CA_BUNDLE, ensureTestImages, openTestEngine, TEST_IMAGES } from '../../support/engine-images.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { listToolsOf } from './try-server.ts';

const LIMIT_MS = 300_000;
let engine: Engine;
let docker: Dockerode;
const made = new Set<string>();

beforeAll(async () => {
  engine = await openTestEngine();
  await ensureTestImages(engine, ['base', 'node', 'python', 'go', 'busybox']);
  docker = new Dockerode({ socketPath: engine.address.replace('unix://', '') });
}, 600_000);

afterAll(async () => {
  for (const tag of made) await engine.removeImage(tag);
});

async function build(
  given: Partial<ProtocolServer>,
  settings: BuildSettings = NO_BUILD_SETTINGS,
  onProgress: (progress: EngineProgress) => void = () => {},
): Promise<BuiltImage> {
  const server: ProtocolServer = {
    kind: 'protocol',
    scheme: 'npx',
    package: 'name',
    local: false,
    addPackages: [],
    runtimeArguments: [],
    caCert: CA_BUNDLE,
    ...given,
  };
  const built = await ensureBuilt(engine, await planBuild(server, settings), onProgress);
  made.add(built.tag);
  return built;
}

/** What a container of the image prints. */
async function run(image: string, command: readonly string[]): Promise<string> {
  const id = await makeContainer(engine, {
    image,
    entrypoint: command.slice(0, 1),
    command: command.slice(1),
  });
  await engine.startContainer(id);
  await engine.waitForContainer(id);
  return engine.readLogs(id, Infinity);
}

const allContainers = async () =>
  (await docker.listContainers({ all: true })).map(({ Id, Command }) => `${Id} ${Command}`);

describe('npx', () => {
  const server = {
    scheme: 'npx',
    package: '@modelcontextprotocol/server-everything@2026.8.31',
    runtimeImage: TEST_IMAGES.node,
  } as const;

  it(
    `${proves('R-1-07', 'K-2-21', 'K-2-23')} builds and runs a Node package whose command has another name, and builds it once`,
    async () => {
      const seen: EngineProgress[] = [];
      const first = await build(server, NO_BUILD_SETTINGS, (progress) => seen.push(progress));
      expect(first.reused).toBe(false);
      expect(first.tag).toMatch(/^berth\/npx-modelcontextprotocol-server-everything:[0-9a-f]{16}$/);
      expect(first.image.user).toBe('10001:10001');
      expect(first.image.labels[LABELS.build]).toMatch(/^[0-9a-f]{64}$/);
      expect(seen.at(-1)).toMatchObject({
        done: seen.at(-1)?.total,
        text: `Building npx://${server.package}`,
      });
      expect(await listToolsOf(engine, first.image.id)).toContain('echo');
      expect((await run(first.image.id, ['id', '-u'])).trim()).toBe('10001');
      const second = await build(server);
      expect(second).toMatchObject({ reused: true, tag: first.tag, image: { id: first.image.id } });
    },
    LIMIT_MS,
  );

  it(
    `${proves('K-8.9-12')} names the package and the reason when it fails, and leaves no container`,
    async () => {
      const missing = '@modelcontextprotocol/server-berth-does-not-exist';
      const before = await allContainers();
      await expect(build({ ...server, package: missing })).rejects.toMatchObject({
        code: 'build_failed',
        message: expect.stringMatching(
          /^npx:\/\/@modelcontextprotocol\/server-berth-does-not-exist could not be built: .*404/,
        ),
      });
      const settings = { env: { SOME_VARIABLE: 'value' }, authFiles: {} };
      await expect(build({ ...server, package: missing }, settings)).rejects.toMatchObject({
        code: 'build_failed',
        message: expect.stringContaining('404'),
      });
      expect(
        (await allContainers()).filter((one) => !before.includes(one) && /berth|npm|exist/.test(one)),
      ).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    `${proves('K-2-27', 'K-2-28')} hands credentials to the install step alone: no layer, history or variable keeps them`,
    async () => {
      const secrets = ['npm-token-3f9a2c', 'env-secret-77b1', 'netrc-pass-5d20'];
      const settings = {
        env: { PRIVATE_TOKEN: secrets[1] ?? '', NPM_CONFIG_LOGLEVEL: 'error' },
        authFiles: {
          npmrc: `//registry.example/:_authToken=${secrets[0]}\n`,
          netrc: `machine registry.example login me password ${secrets[2]}\n`,
        },
      };
      const { image, tag } = await build(server, settings);
      expect(await listToolsOf(engine, image.id)).toContain('echo');
      const images = await docker.listImages({ all: true });
      const texts: string[] = [];
      for (const { Id } of images) {
        const one = docker.getImage(Id);
        texts.push(
          JSON.stringify(await one.inspect().catch(() => '')),
          JSON.stringify(await one.history().catch(() => '')),
        );
      }
      for (const secret of secrets) expect(texts.some((text) => text.includes(secret))).toBe(false);
      const saved = join(makeDirectory(), 'image.tar');
      execFileSync('sh', [
        '-c',
        `curl -fsS --unix-socket ${engine.address.replace('unix://', '')} -o ${saved} http://engine/images/${image.id}/get`,
      ]);
      for (const secret of secrets) {
        expect(
          execFileSync('sh', ['-c', `grep -acF ${secret} ${saved} || true`])
            .toString()
            .trim(),
        ).toBe('0');
      }
      expect(await engine.findImage(`${tag}-builder`)).toBeUndefined();
      expect((await allContainers()).filter((one) => one.includes('install.sh'))).toEqual([]);
    },
    LIMIT_MS,
  );
});

describe('uvx', () => {
  it(
    `${proves('R-1-06', 'K-2-25', 'R-4.1-39')} builds and runs a Python package, with pip, uv and the server behind a CA of one's own`,
    async () => {
      const { image } = await build({
        scheme: 'uvx',
        package: 'mcp-server-time',
        runtimeImage: TEST_IMAGES.python,
      });
      expect(image.user).toBe('10001:10001');
      expect(await listToolsOf(engine, image.id)).toEqual(['convert_time', 'get_current_time']);
      const variables = await run(image.id, ['env']);
      expect(variables).toContain('SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt');
      expect(Number(await run(image.id, ['grep', '-c', 'BEGIN CERTIFICATE', CA_BUNDLE]))).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );
});

describe('go', () => {
  it(
    `${proves('R-1-08')} builds and runs a Go package as a static binary`,
    async () => {
      const { image } = await build({
        scheme: 'go',
        package: 'golang.org/x/example/hello@latest',
        runtimeImage: TEST_IMAGES.go,
      });
      expect(image.user).toBe('10001:10001');
      expect(await run(image.id, ['/opt/berth/run'])).toBe('Hello, world!\n');
    },
    LIMIT_MS,
  );

  it(
    `${proves('R-1-09', 'K-2-22')} builds and runs a local Go path without writing into the tree`,
    async () => {
      const root = makeDirectory();
      mkdirSync(join(root, 'cmd/server'), { recursive: true });
      mkdirSync(join(root, 'greet'));
      writeFileSync(join(root, 'go.mod'), 'module example.com/local\n\ngo 1.19\n');
      writeFileSync(join(root, '.gitignore'), 'broken.go\n');
      writeFileSync(join(root, 'greet/greet.go'), 'package greet\n\nconst Text = "from a path"\n');
      writeFileSync(join(root, 'cmd/server/broken.go'), 'this does not compile');
      const main =
        'package main\n\nimport (\n\t"fmt"\n\t"example.com/local/greet"\n)\n\nfunc main() { fmt.Println(greet.Text) }\n';
      writeFileSync(join(root, 'cmd/server/main.go'), main);
      const before = readdirSync(root, { recursive: true }).sort();
      const server = {
        scheme: 'go',
        package: join(root, 'cmd/server'),
        local: true,
        runtimeImage: TEST_IMAGES.go,
      } as const;
      const first = await build(server);
      expect(await run(first.image.id, ['/opt/berth/run'])).toBe('from a path\n');
      expect(readdirSync(root, { recursive: true }).sort()).toEqual(before);
      expect((await build(server)).reused).toBe(true);
      writeFileSync(join(root, 'greet/greet.go'), 'package greet\n\nconst Text = "changed"\n');
      const changed = await build(server);
      expect(changed.reused).toBe(false);
      expect(await run(changed.image.id, ['/opt/berth/run'])).toBe('changed\n');
    },
    LIMIT_MS,
  );
});

describe('settings of a build', () => {
  const go = {
    scheme: 'go',
    package: 'golang.org/x/example/hello@v0.0.0-1',
    runtimeImage: TEST_IMAGES.go,
  } as const;

  it(
    `${proves('K-2-26')} hand the proxy variables to its steps`,
    async () => {
      // Nothing listens there; that it was tried is in the error.
      const proxies = { HTTPS_PROXY: 'http://127.0.0.1:9' };
      await expect(build(go, { ...NO_BUILD_SETTINGS, proxies })).rejects.toMatchObject({
        code: 'build_failed',
        message: expect.stringContaining('127.0.0.1:9'),
      });
    },
    LIMIT_MS,
  );

  it(
    `${proves('K-2-27')} choose the package registry: a variable, .npmrc or pip.conf`,
    async () => {
      const place = 'http://127.0.0.1:9';
      const python = { scheme: 'uvx', package: 'mcp-server-time', runtimeImage: TEST_IMAGES.python } as const;
      const cases: readonly (readonly [Partial<ProtocolServer>, BuildSettings])[] = [
        [go, { env: { GOPROXY: place }, authFiles: {} }],
        [
          { runtimeImage: TEST_IMAGES.node },
          { env: {}, authFiles: { npmrc: `registry=${place}\nfetch-retries=0\n` } },
        ],
        [
          python,
          { env: { PIP_RETRIES: '1' }, authFiles: { 'pip.conf': `[global]\nindex-url = ${place}/simple\n` } },
        ],
      ];
      for (const [server, settings] of cases) {
        await expect(build(server, settings)).rejects.toMatchObject({
          code: 'build_failed',
          message: expect.stringMatching(/127\.0\.0\.1|connection refused/i),
        });
      }
    },
    LIMIT_MS,
  );
});

describe('packages of the system', () => {
  it(
    `${proves('R-4.1-37', 'R-4.1-38', 'K-2-24')} are added by apt to both stages of an image that was given`,
    async () => {
      const { image } = await build({
        package: '@modelcontextprotocol/server-everything@2026.8.31',
        runtimeImage: TEST_IMAGES.node,
        addPackages: ['jq'],
      });
      expect(await run(image.id, ['jq', '--version'])).toMatch(/^jq-/);
    },
    LIMIT_MS,
  );

  it(
    `${proves('K-2-24', 'K-2-25')} are added by apk on a busybox system, whose shell reads the scripts`,
    async () => {
      const server = { kind: 'protocol', scheme: 'go', package: 'example.com/a', local: false } as const;
      const plan = await planBuild(
        {
          ...server,
          runtimeImage: TEST_IMAGES.busybox,
          caCert: CA_BUNDLE,
          addPackages: ['git', 'jq'],
          runtimeArguments: [],
        },
        NO_BUILD_SETTINGS,
      );
      const tag = 'berth-test/prepared:1';
      made.add(tag);
      const lines = plan.stages.runtime('RUN mkdir -p /opt/berth');
      const image = await engine.buildImage(
        { context: packContext(`${lines.join('\n')}\n`, plan.files), tag, labels: {} },
        () => {},
      );
      expect((await run(image.id, ['cat', '/apk-calls'])).split('\n')).toEqual([
        'add --quiet --no-cache ca-certificates',
        'add --quiet --no-cache git jq',
        '',
      ]);
      expect((await run(image.id, ['id'])).trim()).toContain('uid=10001(berth)');
      expect(Number(await run(image.id, ['grep', '-c', 'BEGIN CERTIFICATE', CA_BUNDLE]))).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );
});
