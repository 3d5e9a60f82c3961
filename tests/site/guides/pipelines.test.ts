import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { dirname } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findCommand, ROOT } from '../../support/built-command.ts';
import { makeCatalogRepository, mustRun } from './catalog-repository.ts';
import { listStandIns } from './not-run.ts';
import { readGuides } from './read-guide.ts';
import type { Reader } from './reader.ts';
import { prepareReader } from './scenarios.ts';
import { listGitlabScripts, listWorkflowScripts, type PipelineScript } from './workflow-scripts.ts';

interface Comment {
  readonly path: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const standIns = listStandIns(ROOT, dirname(findCommand()));
const comments: Comment[] = [];
let api: Server;
let apiUrl = '';

beforeAll(async () => {
  api = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      comments.push({ path: request.url, headers: request.headers, body });
      response.writeHead(201).end('{}');
    });
  });
  await once(api.listen(0, '127.0.0.1'), 'listening');
  const address = api.address();
  if (typeof address === 'object' && address) apiUrl = `http://127.0.0.1:${address.port}/api`;
});
afterAll(() => api?.close());

const pipelines = [
  {
    page: 'registry/gitops-github.md',
    file: '.github/workflows/catalog.yml',
    list: (text: string) => listWorkflowScripts(text, contextOfActions()),
    readBody: (body: string): string => JSON.parse(body).body,
    commentsAt: '/api/repos/acme/mcp-catalog/issues/7/comments',
    token: { authorization: 'Bearer ci-token' },
  },
  {
    page: 'registry/gitops-gitea.md',
    file: '.gitea/workflows/catalog.yml',
    list: (text: string) => listWorkflowScripts(text, contextOfActions()),
    readBody: (body: string): string => JSON.parse(body).body,
    commentsAt: '/api/repos/acme/mcp-catalog/issues/7/comments',
    token: { authorization: 'token ci-token' },
  },
  {
    page: 'registry/gitops-gitlab.md',
    file: '.gitlab-ci.yml',
    list: (text: string) => listGitlabScripts(text),
    readBody: (body: string) => new URLSearchParams(body).get('body') ?? '',
    commentsAt: '/api/projects/3/merge_requests/7/notes',
    token: { 'private-token': 'ci-token' },
  },
];

/** What a server of GitHub's kind tells a workflow of pull request 7. */
function contextOfActions(): Readonly<Record<string, string>> {
  return {
    'github.base_ref': 'main',
    'github.api_url': apiUrl,
    'github.repository': 'acme/mcp-catalog',
    'github.event.number': '7',
    'github.token': 'ci-token',
  };
}

/** What GitLab tells a job of merge request 7. */
function variablesOfGitlab(): Readonly<Record<string, string>> {
  return {
    CI_API_V4_URL: apiUrl,
    CI_PROJECT_ID: '3',
    CI_MERGE_REQUEST_IID: '7',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: 'origin/main',
    REVIEW_TOKEN: 'ci-token',
  };
}

describe.each(pipelines)('the pipeline of $page', ({ page, file, list, readBody, commentsAt, token }) => {
  const ends: (() => Promise<void>)[] = [];
  let reader: Reader;
  let scripts: readonly PipelineScript[];

  beforeAll(async () => {
    reader = await prepareReader('pipeline', ends);
    await makeCatalogRepository(reader);
    const text = readGuides(['registry'])
      .find((guide) => guide.page === page)
      ?.blocks.find(({ title }) => title === file)?.code;
    if (text === undefined) throw new Error(`${page} has no ${file}`);
    scripts = list(text);
  });
  beforeEach(() => {
    comments.length = 0;
  });
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  /** Checks out a new branch with a change, as a pull request does, and runs all of it. */
  async function review(branch: string, change: string): Promise<{ code: number; output: string }> {
    const work = `~/${branch}`;
    await mustRun(reader, `git clone --quiet https://git.example.com/acme/mcp-catalog.git ${work}`);
    await mustRun(
      reader,
      `cd ${work} && git checkout --quiet -b ${branch} && ${change} && git add . && git commit --quiet --allow-empty -m Change`,
    );
    await mustRun(reader, 'rm -rf ~/berth');
    for (const { script, env } of scripts) {
      const variables = Object.entries({ ...variablesOfGitlab(), ...env }).map(
        ([name, value]) => `${name}='${value}'`,
      );
      reader.write('../ci-script.sh', replaceLines(script));
      const { code, output } = await reader.run(
        `env ${variables.join(' ')} bash -e -o pipefail ../ci-script.sh`,
      );
      if (code !== 0) return { code, output };
    }
    return { code: 0, output: '' };
  }

  it('comments what an entry more would change, and for whom', async () => {
    const change = `mkdir catalog/servers/mail && sed 's/wiki/mail/' catalog/servers/wiki/server.json > catalog/servers/mail/server.json`;
    expect(await review('mail', change)).toEqual({ code: 0, output: '' });
    expect(comments).toMatchObject([{ path: commentsAt, headers: token }]);
    const said = readBody(comments[0]?.body ?? '');
    expect(said).toContain('| added | server | `com.acme/mail` | `catalog` | `1.0.0` added |');
    expect(said).toContain('| `{"org":"acme"}` | `default` | gains 1 | `server/com.acme/mail` |');
  });

  it('says nothing where no entry changes', async () => {
    expect(await review('words', 'echo Ours > README.md')).toEqual({ code: 0, output: '' });
    expect(comments).toEqual([]);
  });

  it('fails for an entry that is not valid, and says where', async () => {
    const { code, output } = await review(
      'broken',
      `sed -i.old '/"version"/d' catalog/servers/wiki/server.json`,
    );
    expect(code).not.toBe(0);
    expect(output).toContain('catalog/servers/wiki/server.json:1:1: version: is missing');
    expect(comments).toEqual([]);
  });
});

/** The lines that a test cannot run, replaced by what it has instead. */
function replaceLines(script: string): string {
  return script
    .split('\n')
    .map((line) => standIns.find(({ starts }) => line.startsWith(starts))?.instead ?? line)
    .join('\n');
}
