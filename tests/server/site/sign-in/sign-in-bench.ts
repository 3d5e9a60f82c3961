import { Hono } from 'hono';
import { onTestFinished } from 'vitest';
import type { AppEnv } from '../../../../server/app-context.ts';
import { answerProblem, HttpError } from '../../../../server/http/problem.ts';
import { asWebResponse } from '../../../../server/http/web-answer.ts';
import type { AuditEvent } from '../../../../server/observe/audit-event.ts';
import { createLog } from '../../../../server/observe/log.ts';
import { createMetrics } from '../../../../server/observe/metrics.ts';
import { observe } from '../../../../server/observe/observe-request.ts';
import { Recorder } from '../../../../server/observe/recorder.ts';
import { buildRuntime, type Runtime } from '../../../../server/runtime.ts';
import { answerSignIn } from '../../../../server/site/sign-in/answer-sign-in.ts';
import { checkForm } from '../../../../server/site/sign-in/check-form.ts';
import { createSignIn, type SignInDeps } from '../../../../server/site/sign-in/create-sign-in.ts';
import { readForm } from '../../../../server/site/sign-in/read-form.ts';
import { configSchema } from '../../../../sources/config/schema.ts';
import { SITE_CLIENT, type SignInProvider } from '../../../support/start-sign-in-provider.ts';
import { makeDirectory } from '../../../support/temporary-directory.ts';
import { type Page, PlainBrowser } from './plain-browser.ts';

export const SITE = 'http://127.0.0.1:8099';
export const RESOURCE = 'https://registry.test';

export interface BenchOptions {
  readonly signIn?: Readonly<Record<string, unknown>>;
  readonly site?: Readonly<Record<string, unknown>>;
  readonly auth?: Readonly<Record<string, unknown>>;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly dataDir?: string;
  readonly fetchFor?: SignInDeps['fetchFor'];
  /** Changes the runtime before it is used. */
  readonly adapt?: (runtime: Runtime) => Runtime;
}

export interface LogLine {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** The sign-in as the server mounts it, with a page that says who looks at it. */
export interface SignInBench {
  readonly runtime: Runtime;
  readonly site: string;
  readonly log: LogLine[];
  readonly audited: AuditEvent[];
  readonly dataDir: string;
  answer(request: Request): Response | Promise<Response>;
  openBrowser(): PlainBrowser;
  /** Moves the clock of the sign-in, which tokens do not go by. */
  advance(milliseconds: number): void;
}

/** The page of somebody, as the bench writes it. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert on answers, they do not describe them
export const read = (page: Page): any => JSON.parse(page.text);

export async function openBench(provider: SignInProvider, options: BenchOptions = {}): Promise<SignInBench> {
  const dataDir = options.dataDir ?? makeDirectory();
  const config = configSchema.parse({
    sources: [{ name: 'any', managed: {} }],
    registries: [{ name: 'any', sources: ['any'] }],
    auth: {
      oauth: { resourceUrl: RESOURCE, providers: [provider.provider] },
      authz: { roles: { manageEntries: [{ team: 'platform' }] } },
      ...options.auth,
    },
    site: { baseUrl: SITE, signIn: { clientId: SITE_CLIENT, ...options.signIn }, ...options.site },
    ...options.config,
  });
  const loaded = { config, file: 'registry.config.yaml', baseDir: dataDir, dataDir };
  const lines: LogLine[] = [];
  const audited: AuditEvent[] = [];
  const built = await buildRuntime(loaded, {
    log: {
      ...createLog({ level: 'silent' }),
      warn: (fields, message) => lines.push(line('warn', fields, message)),
    },
    metrics: createMetrics(false),
    world: () => {
      throw new Error('nothing is read');
    },
  });
  const audit = {
    ...built.audit,
    wants: () => true,
    record: (event: AuditEvent) => void audited.push(event),
  };
  const recorder = new Recorder(audit, createMetrics(false), built.tracing);
  const runtime = { ...(options.adapt?.(built) ?? built), recorder };
  onTestFinished(() => built.tracing.close());
  let shift = 0;
  const signIn = createSignIn({
    log: (level, fields, message) => lines.push(line(level, fields, message)),
    now: () => Date.now() + shift,
    fetchFor: options.fetchFor,
  });
  const app = new Hono<AppEnv>();
  app.onError((error, c) => {
    if (!(error instanceof HttpError)) throw error;
    return asWebResponse(answerProblem(error, c.get('requestId')));
  });
  app.use(observe(() => runtime));
  app.use(async (c, next) => (await answerSignIn(c, signIn)) ?? next());
  app.all('*', async (c) => {
    const { setCookies, ...session } = await signIn.readSession(c.req.raw, runtime);
    for (const cookie of setCookies) c.header('Set-Cookie', cookie, { append: true });
    if (c.req.method === 'POST') {
      const form = await readForm(c.req.raw, 65_536);
      checkForm(c.req.raw, form, session.viewer, config.site.baseUrl ?? '');
    }
    return c.json({ path: c.req.path, query: c.req.query(), ...session });
  });
  const site = new URL(config.site.baseUrl ?? SITE).origin;
  return {
    runtime,
    site,
    log: lines,
    audited,
    dataDir,
    answer: (request) => app.fetch(request),
    openBrowser: () => new PlainBrowser(site, (request) => app.fetch(request)),
    advance: (milliseconds) => {
      shift += milliseconds;
    },
  };
}

function line(level: string, fields: object, message: string): LogLine {
  return { level, fields: { ...fields }, message };
}

/** Goes through the whole sign-in as a persona, to the page it leads back to. */
export async function signInAs(
  browser: PlainBrowser,
  { site }: SignInBench,
  persona: string,
  returnPath = '/account',
): Promise<Page> {
  const form = await browser.visit(`${site}/sign-in?return=${encodeURIComponent(returnPath)}`);
  if (!form.text.includes('name="persona"')) throw new Error(`no sign-in page: ${form.status} ${form.text}`);
  return browser.visit(form.url, { form: { persona, answer: 'continue' } });
}

/** As `signInAs`, up to the address with the answer of the provider, which is not asked. */
export async function bringAnswer(
  browser: PlainBrowser,
  bench: SignInBench,
  persona: string,
): Promise<string> {
  const callback = `${bench.site}/sign-in/callback`;
  const form = await browser.visit(`${bench.site}/sign-in?return=/account`);
  const { url } = await browser.visit(form.url, { form: { persona, answer: 'continue' } }, callback);
  return url;
}
