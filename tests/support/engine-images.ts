import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import Dockerode from 'dockerode';
import { pack } from 'tar-fs';
import type { Engine } from '../../cli/engine/engine.ts';
import { findEngine } from '../../cli/engine/find-engine.ts';
import { installMissing } from './start-engine.ts';

/** The images of the tests: nothing is pulled, all are made here from Debian's packages and this machine's Node. */
export const TEST_IMAGES = {
  /** Debian, bare: no certificates, no runtime. */
  base: 'berth-test/base:1',
  /** With Node and npm. */
  node: 'berth-test/node:1',
  /** With python3 and pip; uv comes from the package index when something is built. */
  python: 'berth-test/python:1',
  go: 'berth-test/go:1',
  /** Busybox instead of GNU, as Alpine is, and an `apk` that only writes its calls to /apk-calls. */
  busybox: 'berth-test/busybox:1',
  /** With squid, haproxy and socat, for BERTH_GATEWAY_IMAGE. */
  gateway: 'berth-test/gateway:1',
  /** tests/fixtures/mcp-server.mjs; its argument is `stdio` (default) or `http PORT`. */
  mcp: 'berth-test/mcp:1',
} as const;
export type TestImage = keyof typeof TEST_IMAGES;

/** The certificates this machine trusts; builds reach the package registries with them. */
export const CA_BUNDLE = '/etc/ssl/certs/ca-certificates.crt';

/** On images of the tests: the hash of what they are made from. */
const HASH_LABEL = 'dev.berth.test.hash';
const FIXTURE = fileURLToPath(new URL('../fixtures/mcp-server.mjs', import.meta.url));

const install = (packages: string): string =>
  `RUN apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ${packages} >/dev/null && rm -rf /var/lib/apt/lists/*`;

interface ImageRecipe {
  readonly from: TestImage;
  readonly lines: readonly string[];
  /** Host path by name in the context. */
  readonly files: () => Readonly<Record<string, string>>;
}

const RECIPES: Readonly<Record<Exclude<TestImage, 'base'>, ImageRecipe>> = {
  node: {
    from: 'base',
    lines: [
      'COPY node /usr/local/bin/node',
      'COPY npm /usr/local/lib/node_modules/npm',
      'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
      install('libstdc++6 libatomic1'),
      'CMD ["node"]',
    ],
    files: () => ({ node: realpathSync(process.execPath), npm: findNpm() }),
  },
  python: { from: 'base', lines: [install('python3 python3-pip')], files: () => ({}) },
  go: { from: 'base', lines: [install('golang-go ca-certificates')], files: () => ({}) },
  busybox: {
    from: 'base',
    lines: [
      install('busybox-static'),
      'FROM scratch',
      'COPY --from=0 /bin/busybox /bin/busybox',
      'RUN ["/bin/busybox", "mkdir", "-p", "/sbin", "/usr/bin", "/usr/sbin", "/tmp", "/etc"]',
      'RUN ["/bin/busybox", "--install", "-s"]',
      `RUN printf '#!/bin/sh\\necho "$@" >> /apk-calls\\n' > /bin/apk && chmod 755 /bin/apk && touch /etc/passwd /etc/group`,
    ],
    files: () => ({}),
  },
  gateway: { from: 'node', lines: [install('squid haproxy socat ca-certificates')], files: () => ({}) },
  mcp: {
    from: 'node',
    lines: [
      'COPY mcp-server.mjs /srv/mcp-server.mjs',
      'ENTRYPOINT ["node", "/srv/mcp-server.mjs"]',
      'CMD ["stdio"]',
    ],
    files: () => ({ 'mcp-server.mjs': FIXTURE }),
  },
};

/** The engine of the tests. Fails when none answers: a test that needs one never passes without it. */
export function openTestEngine(): Promise<Engine> {
  return findEngine(process.env, { home: homedir() });
}

/** Makes images that are missing or old, with those they are made from. */
export async function ensureTestImages(engine: Engine, names: readonly TestImage[]): Promise<void> {
  for (const name of names) await ensureImage(engine, name);
}

async function ensureImage(engine: Engine, name: TestImage): Promise<string> {
  if (name === 'base') return ensureBase(engine);
  const recipe = RECIPES[name];
  const from = await ensureImage(engine, recipe.from);
  const files = recipe.files();
  const hash = hashOf([from, ...recipe.lines, ...Object.values(files).map(hashFile)]);
  const known = await engine.findImage(TEST_IMAGES[name]);
  if (known?.labels[HASH_LABEL] === hash) return known.id;
  console.log(`building ${TEST_IMAGES[name]}`);
  const directory = mkdtempSync(join(tmpdir(), 'berth-image-'));
  try {
    for (const [target, source] of Object.entries(files)) {
      cpSync(source, join(directory, target), { recursive: true, dereference: true });
    }
    const dockerfile = [`FROM ${TEST_IMAGES[recipe.from]}`, ...recipe.lines, ''].join('\n');
    writeFileSync(join(directory, 'Dockerfile'), dockerfile);
    const context = Readable.from(pack(directory));
    const labels = { [HASH_LABEL]: hash };
    return (await engine.buildImage({ context, tag: TEST_IMAGES[name], labels }, () => {})).id;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function ensureBase(engine: Engine): Promise<string> {
  const known = await engine.findImage(TEST_IMAGES.base);
  if (known) return known.id;
  console.log(`building ${TEST_IMAGES.base}`);
  installMissing(['debootstrap']);
  const directory = mkdtempSync(join(tmpdir(), 'berth-base-'));
  try {
    const root = join(directory, 'root');
    execFileSync('debootstrap', ['--variant=minbase', 'bookworm', root], { stdio: 'ignore' });
    const tar = join(directory, 'root.tar');
    execFileSync('tar', ['-C', root, '--exclude=./var/cache/apt/archives/*.deb', '-cf', tar, '.']);
    const [repo, tag] = TEST_IMAGES.base.split(':');
    const docker = new Dockerode({ socketPath: engine.address.replace('unix://', '') });
    const progress = await docker.importImage(tar, { repo, tag });
    await Readable.from(progress).toArray();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  const made = await engine.findImage(TEST_IMAGES.base);
  if (!made) throw new Error(`${TEST_IMAGES.base} was imported, but the engine does not have it`);
  return made.id;
}

/** npm beside this Node. */
function findNpm(): string {
  const places = [
    join(dirname(dirname(realpathSync(process.execPath))), 'lib', 'node_modules', 'npm'),
    '/usr/lib/node_modules/npm',
  ];
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`no npm in ${places.join(' or ')}`);
  return found;
}

/** Small files by content; the two large ones by their version. */
function hashFile(path: string): string {
  if (path === FIXTURE) return hashOf([readFileSync(path, 'utf8')]);
  const manifest = join(path, 'package.json');
  return existsSync(manifest) ? readFileSync(manifest, 'utf8') : process.version;
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex');
}
