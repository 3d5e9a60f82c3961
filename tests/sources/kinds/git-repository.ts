import { execFileSync, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { type LoopbackTls, startServer } from '../net/loopback-server.ts';
import { makeDirectory, writeFiles } from './temporary-directory.ts';

export interface TestRepository {
  readonly path: string;
  git(...commands: string[]): string;
  /** Writes the files, removes those with null, commits, and answers the commit. */
  commit(files: Readonly<Record<string, string | null>>): Promise<string>;
}

const environment = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
};

/** A real repository with a work tree, its branch called `main`, without a commit. */
export function makeRepository(path = makeDirectory()): TestRepository {
  const git = (...commands: string[]) =>
    execFileSync('git', ['-C', path, ...commands], {
      env: environment,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  git('init', '--quiet', '--initial-branch=main');
  return {
    path,
    git,
    async commit(files) {
      for (const [name, text] of Object.entries(files)) {
        if (text === null) rmSync(join(path, name));
        else await writeFiles(path, { [name]: text });
      }
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message=change');
      return git('rev-parse', 'HEAD');
    },
  };
}

/** Serves the repositories below `root` on loopback, over https when `tls` is given, to whom sends the Basic credentials. */
export async function serveRepositories(
  root: string,
  allowed?: string,
  tls?: LoopbackTls,
): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const answer: RequestListener = (request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? '-'}`);
    if (allowed && request.headers.authorization !== `Basic ${Buffer.from(allowed).toString('base64')}`) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const { pathname, search } = new URL(request.url ?? '/', 'http://host');
    const child = spawn('git', ['http-backend'], {
      env: {
        ...environment,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: decodeURIComponent(pathname),
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
    });
    request.pipe(child.stdin);
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.on('close', () => {
      const all = Buffer.concat(output);
      const end = all.indexOf('\r\n\r\n');
      let status = 200;
      for (const line of all.toString('latin1', 0, end).split('\r\n')) {
        const [name = '', value = ''] = line.split(': ');
        if (name === 'Status') status = Number.parseInt(value, 10);
        else response.setHeader(name, value);
      }
      response.writeHead(status).end(all.subarray(end + 4));
    });
  };
  return { url: (await startServer(answer, tls)).url, asked };
}
