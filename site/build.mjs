// Builds the pages into dist/site. With --if-stale, only when a file of the site is newer; with --optional, a failure is
// told and not an error: the registry works without its pages. With --no-install, missing packages are such a failure.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const site = dirname(fileURLToPath(import.meta.url));
const out = join(site, '..', 'dist', 'site');
const packages = join(site, 'node_modules');
/** The lock that the installed packages follow. */
const installed = join(packages, '.installed-lock');
const NOT_SOURCE = new Set(['node_modules', '.astro']);
const flags = new Set(process.argv.slice(2));

/** The newest modification time (ms) of what the pages are made of. */
function newest(dir) {
  let latest = 0;
  for (const item of readdirSync(dir, { withFileTypes: true })) {
    if (NOT_SOURCE.has(item.name)) continue;
    const path = join(dir, item.name);
    latest = Math.max(latest, item.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return latest;
}

function isFresh() {
  const entry = join(out, 'server', 'entry.mjs');
  return existsSync(entry) && newest(site) <= statSync(entry).mtimeMs;
}

function isInstalled(lock) {
  return existsSync(installed) && readFileSync(installed, 'utf8') === lock;
}

function run(command, args, env) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: site,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  const said = `${stdout ?? ''}${stderr ?? ''}`.trim();
  throw new Error(`${command} ${args.join(' ')} failed${said ? `:\n${said}` : ''}`, { cause: error });
}

function install() {
  const lock = readFileSync(join(site, 'package-lock.json'), 'utf8');
  if (isInstalled(lock)) return;
  if (flags.has('--no-install')) throw new Error('its packages are not installed: run `npm run build`');
  console.error('berth: installing the packages of the site');
  run('npm', ['install', '--no-audit', '--no-fund']);
  writeFileSync(installed, readFileSync(join(site, 'package-lock.json'), 'utf8'));
}

function build() {
  install();
  console.error('berth: building the site');
  const made = mkdtempSync(join(tmpdir(), 'berth-site-'));
  try {
    run(process.execPath, [join(packages, 'astro', 'astro.js'), 'build'], {
      BERTH_SITE_OUT: made,
      ASTRO_TELEMETRY_DISABLED: '1',
      NODE_ENV: 'production',
    });
    // Copied only when all of it is there: a build that fails leaves the one before.
    rmSync(out, { recursive: true, force: true });
    cpSync(made, out, { recursive: true });
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

try {
  if (!flags.has('--if-stale') || !isFresh()) build();
} catch (error) {
  console.error(`berth: the site was not built: ${error.message}`);
  if (!flags.has('--optional')) process.exitCode = 1;
}
