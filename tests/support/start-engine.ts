import { execFileSync, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../../cli/engine/engine.ts';
import { findEngine } from '../../cli/engine/find-engine.ts';
import { waitUntil } from './wait-until.ts';

const PACKAGES = { dockerd: 'docker.io', iptables: 'iptables', debootstrap: 'debootstrap' };

/** Finds a container engine, or installs Docker and starts it (as root, on Debian); throws when there is none then. */
export async function startEngine(): Promise<Engine> {
  const found = await findQuietly();
  if (found) return found;
  installMissing(Object.keys(PACKAGES));
  const log = join(tmpdir(), 'berth-dockerd.log');
  const file = openSync(log, 'a');
  spawn('dockerd', [], { detached: true, stdio: ['ignore', file, file] }).unref();
  await waitUntil(
    async () => (await findQuietly()) !== undefined,
    `an answer of dockerd (log: ${log})`,
    60_000,
  );
  return findEngine(process.env, { home: homedir() });
}

/** Installs the Debian packages of commands that are not there. */
export function installMissing(commands: readonly string[]): void {
  const packages = commands.filter((name) => !hasCommand(name)).map((name) => toPackage(name));
  if (packages.length === 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  console.log(`installing ${packages.join(' ')}`);
  execFileSync('apt-get', ['update', '-qq'], { env });
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
}

function findQuietly(): Promise<Engine | undefined> {
  return findEngine(process.env, { home: homedir() }).catch(() => undefined);
}

function toPackage(command: string): string {
  return Object.entries(PACKAGES).find(([name]) => name === command)?.[1] ?? command;
}

function hasCommand(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
