// Bundles the command and its compile worker into dist/. With --if-stale, only when a source file is newer.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const out = join(root, 'dist');
const target = join(out, 'berth.js');

/** The newest modification time (ms) of any TypeScript file below `dir`. */
function newest(dir) {
  let latest = 0;
  for (const item of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, item.name);
    if (item.isDirectory()) latest = Math.max(latest, newest(path));
    else if (item.name.endsWith('.ts')) latest = Math.max(latest, statSync(path).mtimeMs);
  }
  return latest;
}

function isFresh() {
  if (!existsSync(target)) return false;
  const inputs = ['sources', 'server', 'cli'].map((room) => newest(join(root, room)));
  inputs.push(statSync(join(root, 'package.json')).mtimeMs, statSync(join(root, 'build.config.mjs')).mtimeMs);
  return Math.max(...inputs) <= statSync(target).mtimeMs;
}

/** What dockerode loads for engines behind ssh and for BuildKit sessions, neither of which Berth uses: half its memory. */
const UNUSED_BY_BERTH =
  /[/\\](?:dockerode[/\\]lib[/\\](?:session|buildkit)|docker-modem[/\\]lib[/\\]ssh)\.js$/;

/** Leaves the files above empty. */
const withoutUnused = {
  name: 'without-unused',
  setup({ onLoad }) {
    onLoad({ filter: UNUSED_BY_BERTH }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Needed by every command, and made of so many files that finding them takes longer than running them. */
const BUNDLED = ['clipanion', 'ipaddr.js', 'picocolors', 'typanion', 'zod'];

/** Every other package stays where npm put it. */
const externalPackages = {
  name: 'external-packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^./]/ }, ({ kind, path }) => {
      const isOurs = BUNDLED.some((name) => path === name || path.startsWith(`${name}/`));
      return kind === 'entry-point' || isOurs ? undefined : { path, external: true };
    });
    // Its messages in fifty languages are most of zod.
    onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** All commands that talk to the engine are in chunks, from where this is the way to our copy of dockerode. */
const ownDockerode = {
  name: 'own-dockerode',
  setup({ onResolve }) {
    onResolve({ filter: /^dockerode$/ }, () => ({ path: '../dockerode.cjs', external: true }));
  },
};

async function build() {
  let esbuild;
  try {
    esbuild = await import('esbuild');
  } catch {
    if (existsSync(target)) return;
    throw new Error(
      'berth cannot be built without its development packages: run `npm install` without --omit=dev',
    );
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: { berth: 'cli/main.ts', 'compile-worker': 'sources/sync/compile-worker.ts' },
    outdir: out,
    bundle: true,
    splitting: true,
    plugins: [ownDockerode, externalPackages],
    // What is bundled may ask for modules of Node with `require`, which ES modules do not have.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
    },
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    chunkNames: 'chunks/[name]-[hash]',
    define: { 'process.env.BERTH_VERSION': JSON.stringify(version) },
    logLevel: 'warning',
    write: false,
  });
  const dockerode = await esbuild.build({
    absWorkingDir: root,
    entryPoints: { dockerode: 'dockerode' },
    outdir: out,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    plugins: [withoutUnused],
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    logLevel: 'warning',
    write: false,
  });
  outputFiles.push(...dockerode.outputFiles);
  // Written only when all of it is there: a build that fails leaves the one before.
  removeBefore();
  mkdirSync(join(out, 'chunks'), { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
}

/** All but the pages, which `site/build.mjs` makes. */
function removeBefore() {
  if (!existsSync(out)) return;
  for (const name of readdirSync(out)) {
    if (name !== 'site') rmSync(join(out, name), { recursive: true, force: true });
  }
}

/** npm links no command of the package it installs for; `npx berth` looks for it here. */
function linkCommand() {
  const links = join(root, 'node_modules', '.bin');
  const link = join(links, 'berth');
  chmodSync(target, 0o755);
  if (process.platform === 'win32' || !existsSync(links)) return;
  rmSync(link, { force: true });
  symlinkSync(join('..', '..', 'dist', 'berth.js'), link);
}

if (!process.argv.includes('--if-stale') || !isFresh()) await build();
linkCommand();
