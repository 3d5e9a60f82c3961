import { z } from 'zod';
import {
  describeIssue,
  describeProblems,
  summarizeProblems,
} from '../../sources/catalog/describe-problems.ts';
import { OFFICIAL_META } from '../../sources/model/meta-keys.ts';
import type { Ask } from './ask-registry.ts';
import { CheckUp } from './check-up.ts';
import { readKey } from './read-listing.ts';

const time = z.iso.datetime({ offset: true, error: 'must be an RFC 3339 time' });
const official = z.strictObject({
  status: z.enum(['active', 'deprecated', 'deleted']),
  statusMessage: z.string().optional(),
  statusChangedAt: time.optional(),
  publishedAt: time,
  updatedAt: time.optional(),
  isLatest: z.boolean(),
});
const transport = z.looseObject({ type: z.string(), url: z.string().optional() });
/** The types of the client, not the rules of the schema: a text stays a text however it reads. */
const item = z.looseObject({
  server: z.looseObject({
    name: z.string(),
    description: z.string(),
    version: z.string(),
    title: z.string().optional(),
    websiteUrl: z.string().optional(),
    repository: z.looseObject({ url: z.string().optional(), source: z.string().optional() }).optional(),
    icons: z.array(z.looseObject({ src: z.string() })).optional(),
    packages: z
      .array(z.looseObject({ registryType: z.string(), identifier: z.string(), transport }))
      .optional(),
    remotes: z.array(transport).optional(),
    _meta: z.record(z.string(), z.unknown()).optional(),
  }),
  _meta: z.looseObject({ [OFFICIAL_META]: official }),
});
const page = z.looseObject({
  servers: z.array(z.unknown()),
  metadata: z.looseObject({ count: z.int(), nextCursor: z.string().nullish() }),
});

/** The types of the official Go client: a member of another type fails the whole answer. */
export async function playGoClient(ask: Ask): Promise<CheckUp> {
  const checkUp = new CheckUp('official Go client');
  const reply = await ask('/v0.1/servers?limit=100');
  const what = 'types of the list';
  if (!checkUp.expectStatus(reply, 200, what, 'the client cannot list')) return checkUp;
  const list = page.safeParse(reply.json, { error: describeIssue });
  if (!list.success) {
    checkUp.fail(what, `${summarizeProblems(describeProblems(list.error))} (${reply.target})`);
    return checkUp;
  }
  checkUp.ok(what);
  for (const [index, one] of list.data.servers.entries()) {
    const parsed = item.safeParse(one, { error: describeIssue });
    if (parsed.success) continue;
    const name = readKey(one)?.name ?? `item ${index + 1}`;
    checkUp.fail('types of the items', `${name}: ${summarizeProblems(describeProblems(parsed.error))}`);
  }
  if (!checkUp.hasFailed) checkUp.ok('types of the items and their official block');
  return checkUp;
}
