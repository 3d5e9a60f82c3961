import { isPlainObject } from '../../sources/model/plain-object.ts';
import type { Ask } from './ask-registry.ts';
import { checkCors } from './check-cors.ts';
import { checkSearch } from './check-search.ts';
import { CheckUp } from './check-up.ts';
import { readKey, readListing } from './read-listing.ts';
import { MOST_PAGES, walkPages } from './walk-pages.ts';

const UNKNOWN = 'com.example.berth-doctor/no-such-server';

/** VS Code: probe, list with raw cursors, search, detail. Answers the names it saw. */
export async function playVsCode(ask: Ask): Promise<CheckUp> {
  const checkUp = new CheckUp('VS Code');
  const version = await probe(ask, checkUp);
  if (version === undefined) return checkUp;
  const path = `/${version}/servers`;
  const first = await ask(`${path}?limit=1`);
  if (first.status === 200) checkCors(first, checkUp);
  const walk = await walkPages(ask, checkUp, path, {
    query: '?limit=50&version=latest',
    cursors: 'raw',
    onPage: ({ items }, { target }) => {
      for (const [index, item] of items.entries()) checkItem(item, index, target, checkUp);
    },
  });
  if (!walk) return checkUp;
  const keys = walk.items.flatMap((item) => readKey(item) ?? []);
  if (!checkUp.hasFailed) {
    const end = walk.complete ? '' : ` (the first ${MOST_PAGES} pages)`;
    checkUp.ok(`list of ${walk.items.length} servers, page by page${end}`);
  }
  const names = keys.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    checkUp.fail(
      'version=latest',
      `${twice} is listed with several versions: the client shows it several times`,
    );
  }
  await checkSearch(ask, checkUp, path, names);
  await checkDetail(ask, checkUp, path, keys);
  return checkUp;
}

async function probe(ask: Ask, checkUp: CheckUp): Promise<string | undefined> {
  let newest: Awaited<ReturnType<Ask>> | undefined;
  for (const version of ['v0.1', 'v0']) {
    const reply = await ask(`/${version}/servers?limit=1`);
    newest ??= reply;
    if (reply.status < 200 || reply.status > 299) continue;
    checkUp.ok(`probe of /${version}/servers?limit=1`);
    const listing = readListing(reply.json);
    if (typeof listing === 'string') checkUp.fail('probe', `${listing} (${reply.target})`);
    return version;
  }
  if (newest) {
    const meaning =
      'the client finds no registry here; its base URL ends before /v0.1, as in https://host/registry/NAME';
    checkUp.expectStatus(newest, 200, 'probe', meaning);
  }
  return undefined;
}

function checkItem(item: unknown, index: number, target: string, checkUp: CheckUp): void {
  const name = readKey(item)?.name ?? `item ${index + 1} of ${target}`;
  const lost = index === 0 ? 'as it is the first item, the whole page is lost' : 'the item is left out';
  if (!isPlainObject(item) || !isPlainObject(item.server)) {
    checkUp.fail('items', `${name} has no \`server\` object: ${lost}`);
    return;
  }
  if (!isPlainObject(item._meta)) {
    checkUp.fail(
      'items',
      `${name} has no \`_meta\` object beside \`server\`: the client takes it apart unasked and ends with a TypeError`,
    );
  }
  for (const member of ['name', 'description', 'version']) {
    const value = item.server[member];
    if (typeof value !== 'string' || value === '') {
      checkUp.fail('items', `${name} has no \`server.${member}\` (non-empty text): ${lost}`);
    }
  }
}

async function checkDetail(
  ask: Ask,
  checkUp: CheckUp,
  path: string,
  keys: readonly { readonly name: string; readonly version: string }[],
): Promise<void> {
  const what = 'detail of a server';
  for (const { name, version } of keys.slice(0, 3)) {
    const reply = await ask(`${path}/${encodeURIComponent(name)}/versions/latest`);
    const meaning = 'the client takes the server for unlisted (names are sent with %2F for the slash)';
    if (!checkUp.expectStatus(reply, 200, what, meaning)) return;
    const key = readKey(reply.json);
    if (!isPlainObject(reply.json) || !isPlainObject(reply.json._meta)) {
      checkUp.fail(
        what,
        `${reply.target} has no \`_meta\` object beside \`server\`: the client ends with a TypeError`,
      );
      return;
    }
    if (key?.name !== name || key.version !== version) {
      checkUp.fail(
        what,
        `${reply.target} gives ${key?.name}@${key?.version}, but the list has ${name}@${version}`,
      );
      return;
    }
  }
  if (keys.length > 0) checkUp.ok(`${what} by its encoded name`);
  const missing = await ask(`${path}/${encodeURIComponent(UNKNOWN)}/versions/latest`);
  checkUp.check(
    missing.status >= 400 && missing.status < 500,
    'a server that is not listed is refused',
    `${missing.target} answers ${missing.status} instead of 404: the client takes any server for listed`,
  );
}
