import { BerthError } from '../../sources/errors.ts';
import { isPlainObject } from '../../sources/model/plain-object.ts';
import { UsageError } from '../usage-error.ts';
import { type AskerOptions, createAsker } from './ask-registry.ts';
import { CheckUp, type ClientReport } from './check-up.ts';
import { playApiSource } from './play-api-source.ts';
import { playCopilot } from './play-copilot.ts';
import { playGoClient } from './play-go-client.ts';
import { playSkills } from './play-skills.ts';
import { playVsCode } from './play-vs-code.ts';

export interface Examination {
  readonly base: string;
  readonly clients: readonly ClientReport[];
  readonly notes: readonly string[];
}

export type ExamineOptions = Pick<AskerOptions, 'token' | 'fetch' | 'timeoutMs'>;

/**
 * Plays the well-known clients (contract 8) against a registry.
 * @param url its base, such as `https://host/registry/NAME`
 * @throws BerthError `registry_unreachable` when nothing answers there at all; UsageError for what is no URL
 */
export async function examineRegistry(url: string, options: ExamineOptions): Promise<Examination> {
  const { base, notes } = readBase(url);
  const ask = createAsker({ base, ...options });
  const probe = await ask('/v0.1/servers?limit=1');
  if (probe.status === 404) notes.push(...(await suggestBases(base, options)));
  if (options.token !== undefined) {
    const bare = await ask('/v0.1/servers?limit=1', { token: false });
    if (bare.status === 401) {
      notes.push(
        'without a token this registry answers 401. VS Code and Copilot CLI of today send no token: what they are to see has to be listed in auth.oauth.publicPaths',
      );
    }
  }
  const plays: readonly [client: string, play: () => Promise<CheckUp>][] = [
    ['VS Code', () => playVsCode(ask)],
    ['Copilot CLI', () => playCopilot(ask)],
    ['official Go client', () => playGoClient(ask)],
    ['npx skills', () => playSkills(ask, base)],
    ['api source of another berth', () => playApiSource(ask)],
  ];
  const clients: ClientReport[] = [];
  for (const [client, play] of plays) clients.push(await playOne(client, play));
  return { base, clients, notes };
}

export function isHealthy({ clients }: Examination): boolean {
  return clients.every(({ findings }) => findings.every(({ outcome }) => outcome !== 'failed'));
}

/** A request without an answer is a failure of the client that sent it, not the end of the examination. */
async function playOne(client: string, play: () => Promise<CheckUp>): Promise<ClientReport> {
  try {
    return (await play()).report;
  } catch (error) {
    if (!(error instanceof BerthError)) throw error;
    const checkUp = new CheckUp(client);
    checkUp.fail('request', error.describe());
    return checkUp.report;
  }
}

function readBase(url: string): { base: string; notes: string[] } {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new UsageError(`"${url}" is no http or https URL.`, {
      fix: 'Write it as https://host/registry/NAME.',
    });
  }
  parsed.hash = '';
  parsed.search = '';
  const whole = parsed.href.replace(/\/+$/, '');
  const base = whole.replace(/\/v0(\.1)?(\/servers)?$/, '');
  const note = `clients are given the base ${base}: they add /v0.1/servers themselves`;
  return { base, notes: base === whole ? [] : [note] };
}

/** Whoever names a whole service instead of one of its registries is told which there are. */
async function suggestBases(base: string, options: ExamineOptions): Promise<string[]> {
  const reply = await createAsker({ base, ...options })('/registry');
  const list = isPlainObject(reply.json) ? reply.json.registries : undefined;
  if (reply.status !== 200 || !Array.isArray(list)) return [];
  const urls = list.flatMap((one) =>
    isPlainObject(one) && typeof one.name === 'string' ? [`${base}/registry/${one.name}`] : [],
  );
  return urls.length === 0
    ? []
    : [`this is a whole service; its registries are ${urls.slice(0, 20).join(', ')}`];
}
