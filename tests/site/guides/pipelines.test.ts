import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { makeCatalogRepository, mustRun } from './catalog-repository.ts';
import { readGuides } from './read-guide.ts';
import type { Reader } from './reader.ts';
import { runPipeline } from './run-pipeline.ts';
import { prepareReader } from './scenarios.ts';
import { listGitlabScripts, listWorkflowScripts, type PipelineScript } from './workflow-scripts.ts';

interface Comment {
  readonly path: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

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
    return runPipeline(reader, scripts, variablesOfGitlab());
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

it('the workflow that publishes the site writes it, without what its audience may not see', async () => {
  const ends: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    for (const end of ends.reverse()) await end();
  });
  const reader = await prepareReader('pipeline', ends);
  await mustRun(reader, 'git init --quiet ~/mcp-catalog && cd ~/mcp-catalog');
  const files = readGuides(['registry'])
    .filter(({ page }) => page === 'registry/site.md')
    .flatMap(({ blocks }) => blocks);
  for (const { title, code } of files) if (title) reader.write(title, code);
  await mustRun(reader, 'git add . && git commit --quiet -m Start');
  const workflow = files.find(({ title }) => title === '.github/workflows/site.yml')?.code ?? '';
  expect(await runPipeline(reader, listWorkflowScripts(workflow, {}))).toEqual({ code: 0, output: '' });
  expect(
    (await reader.run('grep -l --exclude-dir=docs com.acme/wiki -r public | wc -l')).output.trim(),
  ).not.toBe('0');
  expect((await reader.run('grep -l --exclude-dir=docs payroll -r public')).output).toBe('');
});
