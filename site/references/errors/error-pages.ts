import { groupBy } from '../group-by.ts';
import { escapeText, renderCode } from '../markdown/escape-text.ts';
import type { Page } from '../markdown/page.ts';
import { renderTable } from '../markdown/table.ts';
import type { Area, ErrorCode } from './list-error-codes.ts';

const FOLDER = 'error-codes';
const AREAS: Readonly<
  Record<Area, { readonly file: string; readonly title: string; readonly intro: string }>
> = {
  http: {
    file: 'http',
    title: 'Answers of the HTTP API',
    intro:
      'What a service answers over HTTP, as `application/problem+json` with the code as `code`. Some of these codes also end a command.',
  },
  sources: {
    file: 'sources',
    title: 'Configuration and sources',
    intro:
      'Faults of the configuration, of catalogs and of where they come from. They end `berth validate`, `berth build` and the like, and stand in the status and the log of a source that a service cannot read.',
  },
  service: {
    file: 'service',
    title: 'Start of the service',
    intro: 'What keeps a service from starting, or stands in its log: addresses, database, keys, audit log.',
  },
  commands: {
    file: 'commands',
    title: 'Registry commands',
    intro:
      'What ends the commands that work on a registry and its catalogs, and every command line that is not understood.',
  },
  run: {
    file: 'run',
    title: 'Running servers',
    intro:
      'What ends `berth run` and the commands around it: engine, images, isolation, secrets, logins, workloads.',
  },
};

const AREAS_IN_ORDER: readonly Area[] = ['http', 'sources', 'service', 'commands', 'run'];

/** The reference of error codes: an alphabetical list and a page for each area. */
export function renderErrorPages(codes: readonly ErrorCode[]): Page[] {
  const byArea = new Map(groupBy(codes, ({ area }) => area));
  return [
    renderOverview(codes),
    ...AREAS_IN_ORDER.map((area, index) => renderArea(area, byArea.get(area) ?? [], index + 2)),
  ];
}

/**
 * A link to what is said about a code.
 * @throws TypeError for a code that the code nowhere throws
 */
export function linkErrorCode(codes: readonly ErrorCode[], code: string): string {
  const found = codes.find((one) => one.code === code);
  if (!found) throw new TypeError(`no error has the code ${code}`);
  return `[${renderCode(code)}](/docs/reference/${FOLDER}/${AREAS[found.area].file}/#${code})`;
}

function renderOverview(codes: readonly ErrorCode[]): Page {
  return {
    path: `${FOLDER}/index.md`,
    title: 'Error codes',
    description:
      'Every stable error code of Berth in alphabetical order, with its HTTP status and exit code.',
    order: 1,
    blocks: [
      'Every fault has a code that stays the same: `code` in what the HTTP API answers. Commands say the same in words on standard error and end with an exit code: 1 for what failed, 2 for a command line that is not understood. What MCP clients get from the proxy of a workload has [numbers instead](/docs/reference/error-codes/proxy/).',
      renderTable(
        ['Code', 'HTTP', 'Exit', 'What is said'],
        codes.map((one) => [
          linkErrorCode(codes, one.code),
          one.statuses.join(', '),
          one.exitCodes.join(', '),
          escapeText(one.says[0]?.message ?? one.about[0] ?? ''),
        ]),
      ),
    ],
  };
}

function renderArea(area: Area, codes: readonly ErrorCode[], order: number): Page {
  const { file, title, intro } = AREAS[area];
  return {
    path: `${FOLDER}/${file}.md`,
    title,
    description: `Error codes with what is said and what to do: ${title.toLowerCase()}.`,
    order,
    blocks: [
      intro,
      '`{…}` stands for what is only known when it happens.',
      ...codes.flatMap(renderErrorCode),
    ],
  };
}

function renderErrorCode({ code, statuses, exitCodes, about, says, files }: ErrorCode): string[] {
  const seen = [
    ...(statuses.length === 0 ? [] : [`HTTP ${statuses.join(', ')}`]),
    ...(exitCodes.length === 0 ? [] : [`exit code ${exitCodes.join(', ')}`]),
  ];
  return [
    `## ${renderCode(code)}`,
    `${seen.join(' · ')}`,
    ...about.map(escapeText),
    ...renderSays(says),
    `From ${files.map(renderCode).join(', ')}.`,
  ];
}

/** One thing that is said stands alone, several stand in a table. */
function renderSays(says: ErrorCode['says']): string[] {
  const rows = groupBy(says, ({ message }) => message).map(([message, said]) => [
    escapeText(message),
    escapeText(said.flatMap(({ fix }) => (fix === '' ? [] : [fix])).join(' Or: ')),
  ]);
  const [only, ...others] = rows;
  if (!only) return [];
  if (others.length > 0) return [renderTable(['What is said', 'What to do'], rows)];
  const [message = '', fix = ''] = only;
  return [`> ${message}`, fix];
}
