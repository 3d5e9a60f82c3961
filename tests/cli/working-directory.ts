import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';

export interface WorkingDirectory {
  readonly path: string;
  /** Writes a file; an object as YAML or, by its name, as JSON. */
  write(name: string, content: string | object): void;
}

/** A directory that is the working directory as long as the running test. */
export function enterDirectory(): WorkingDirectory {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'berth-cli-')));
  const before = process.cwd();
  process.chdir(path);
  onTestFinished(() => {
    process.chdir(before);
    rmSync(path, { recursive: true, force: true });
  });
  return {
    path,
    write(name, content) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), toText(name, content));
    },
  };
}

function toText(name: string, content: string | object): string {
  if (typeof content === 'string') return content;
  return name.endsWith('.json') ? JSON.stringify(content, null, 1) : stringify(content);
}

/** A listing with these servers, one entry a line from line 2 on. */
export function listServers(...servers: readonly object[]): string {
  return `{"servers":[\n${servers.map((server) => JSON.stringify({ server })).join(',\n')}\n],"metadata":{}}`;
}

export function makeServerJson(name: string, version = '1.0.0', more: object = {}): object {
  return { name, description: `About ${name}`, version, ...more };
}

const interval = { syncPolicy: { interval: '30m' } };

/** A file source. */
export function fileSource(name: string, path: string, more: object = {}): object {
  return { name, file: { path }, ...interval, ...more };
}

/** A git source of a local repository. */
export function gitSource(name: string, repository: string, more: object = {}): object {
  return { name, git: { repository, branch: 'main' }, ...interval, ...more };
}

/** Authorisation by claims, with super-admins. */
export const AUTHZ = {
  mode: 'oauth',
  oauth: {
    resourceUrl: 'https://registry.example.com',
    providers: [{ name: 'p', issuerUrl: 'https://login.example.com', audience: 'a' }],
  },
  authz: { roles: { superAdmin: [{ groups: 'admins' }] } },
};

/** A configuration of these sources in one registry called `main`. */
export function makeConfig(sources: readonly object[], more: object = {}): object {
  const names = sources.map((source) => ('name' in source ? source.name : ''));
  return {
    sources,
    registries: [{ name: 'main', sources: names }],
    auth: { mode: 'anonymous' },
    dataDir: 'data',
    ...more,
  };
}
