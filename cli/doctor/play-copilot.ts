import type { Ask } from './ask-registry.ts';
import { checkCors, checkPreflight } from './check-cors.ts';
import { CheckUp } from './check-up.ts';
import { readKey, readListing } from './read-listing.ts';

const HEADERS = { Accept: 'application/json' };
const UNKNOWN = 'com.example.berth-doctor/no-such-server';

/** Copilot CLI: it asks for single servers and blocks whatever is neither 200 nor 404. */
export async function playCopilot(ask: Ask): Promise<CheckUp> {
  const checkUp = new CheckUp('Copilot CLI');
  const pathOf = (name: string, version: string) =>
    `/v0.1/servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`;
  const list = await ask('/v0.1/servers?limit=1&version=latest', { headers: HEADERS });
  const listing = list.status === 200 ? readListing(list.json) : undefined;
  const key = typeof listing === 'object' ? readKey(listing.items[0]) : undefined;

  const unlisted = await ask(pathOf(UNKNOWN, 'latest'), { headers: HEADERS });
  const blocked = 'for anything but 200 and 404 the client blocks every server';
  if (checkUp.expectStatus(unlisted, 404, 'a server that is not listed is answered 404', blocked)) {
    checkUp.ok('a server that is not listed is answered 404');
  }
  if (!key) {
    const what = 'a listed server is answered 200';
    if (list.status !== 200) checkUp.expectStatus(list, 200, what, blocked);
    else checkUp.skip(what, 'the registry lists no server');
    return checkUp;
  }
  for (const version of ['latest', key.version]) {
    const what = `a listed server is answered 200 (versions/${version === 'latest' ? 'latest' : '{version}'})`;
    const reply = await ask(pathOf(key.name, version), { headers: HEADERS });
    if (!checkUp.expectStatus(reply, 200, what, blocked)) continue;
    const same = readKey(reply.json)?.name === key.name;
    checkUp.check(
      same,
      what,
      `${reply.target} holds no \`server\` called ${key.name}: it cannot be compared with what is installed`,
    );
    const type = reply.headers.get('content-type') ?? 'none';
    if (!type.includes('json'))
      checkUp.fail(
        'content type',
        `${reply.target} has the content type ${type} instead of application/json`,
      );
    if (version === 'latest') checkCors(reply, checkUp);
  }
  const preflight = await ask(pathOf(key.name, 'latest'), {
    method: 'OPTIONS',
    token: false,
    headers: {
      Origin: 'https://client.example',
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
  });
  checkPreflight(preflight, checkUp);
  return checkUp;
}
