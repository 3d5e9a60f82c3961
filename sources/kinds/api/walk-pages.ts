import { z } from 'zod';
import { isPlainObject } from '../../model/plain-object.ts';
import { refuseAnswer, refusePage } from './refuse-answer.ts';
import type { Query, Upstream, UpstreamAnswer } from './upstream.ts';

/** All items of a list, or the answer to its first page that says there is none to be had. */
export type Walk =
  | { readonly items: readonly unknown[]; readonly date: number | undefined; readonly refused?: never }
  | { readonly refused: UpstreamAnswer };

export interface WalkOptions {
  /** Below the base of the registry. */
  readonly path: string;
  readonly member: 'servers' | 'skills';
  /** Sent with every page. */
  readonly filters?: Query;
  /** The registry need not have this list: an answer that is something else altogether counts as refusal. */
  readonly optional?: boolean;
}

/** Tried in this order until one is not answered with 400: not every registry takes every parameter. */
const PARAMETERS: readonly Query[] = [
  { limit: '100', include_deleted: 'true' },
  { limit: '100' },
  { limit: '30', include_deleted: 'true' },
  { limit: '30' },
  {},
];

const metadata = z.looseObject({ nextCursor: z.string().nullish(), next_cursor: z.string().nullish() });
/** Some registries write an empty list as null. */
const items = z.array(z.unknown()).nullable();
const pages = {
  servers: z.looseObject({ servers: items, metadata: metadata.nullish() }),
  skills: z.looseObject({ skills: items, metadata: metadata.nullish() }),
};

/**
 * Follows the cursors of a list to its end (contract 2, `api`).
 *
 * @throws BerthError `source_invalid` for a page that is no page or a cursor that comes again, `source_too_large`,
 *   the error of any page behind the first, and those of `Upstream.get`
 */
export async function walkPages(upstream: Upstream, options: WalkOptions): Promise<Walk> {
  const { path, member, filters = {} } = options;
  let parameters: Query = {};
  let answer: UpstreamAnswer | undefined;
  for (const some of PARAMETERS) {
    parameters = { ...some, ...filters };
    answer = await upstream.get(path, parameters);
    if (answer.status !== 400) break;
  }
  if (answer?.status !== 200 || (options.optional && !hasMember(answer.text, member))) {
    if (!answer) throw new Error('a list is asked for at least once');
    return { refused: answer };
  }

  const { date } = answer;
  const all: unknown[] = [];
  const cursors = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { items, cursor } = readPage(answer, member, page);
    upstream.budget.takeItems(items.length, answer.url);
    for (const item of items) all.push(item);
    if (!cursor) return { items: all, date };
    if (cursors.has(cursor)) throw refusePage(page, answer.url, 'leads back to a page before it');
    cursors.add(cursor);
    answer = await upstream.get(path, { ...parameters, cursor });
    if (answer.status !== 200) throw refuseAnswer(answer.status, answer.url);
  }
}

function readPage(
  answer: UpstreamAnswer,
  member: 'servers' | 'skills',
  page: number,
): { items: readonly unknown[]; cursor: string | undefined } {
  const value = parseJson(answer.text);
  if (value === undefined) throw refusePage(page, answer.url, 'is not JSON');
  const parsed = pages[member].safeParse(value);
  if (!parsed.success) throw refusePage(page, answer.url, `is not of the form {${member}: [], metadata: {}}`);
  const list = parsed.data[member];
  const { nextCursor, next_cursor } = parsed.data.metadata ?? {};
  return { items: Array.isArray(list) ? list : [], cursor: nextCursor ?? next_cursor ?? undefined };
}

/** Some registries answer any path they do not know with a web page or a list of servers. */
function hasMember(text: string, member: string): boolean {
  const value = parseJson(text);
  return isPlainObject(value) && member in value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
