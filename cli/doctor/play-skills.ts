import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  describeIssue,
  describeProblems,
  summarizeProblems,
} from '../../sources/catalog/describe-problems.ts';
import type { Ask } from './ask-registry.ts';
import { CheckUp } from './check-up.ts';

const INDEX = '/.well-known/agent-skills/index.json';
const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';
const MOST_FILES = 50;

const skill = z.looseObject({
  name: z
    .string()
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single hyphens'),
  type: z.enum(['skill-md', 'archive']),
  description: z.string().min(1, 'must not be empty').max(1024, 'must have at most 1024 characters'),
  url: z.string().min(1, 'must not be empty'),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hex digits'),
});

/** `npx skills add`: the discovery index below the base, and every file with its digest. */
export async function playSkills(ask: Ask, base: string): Promise<CheckUp> {
  const checkUp = new CheckUp('npx skills');
  const what = 'discovery index of skills';
  const reply = await ask(INDEX);
  if (reply.status === 404) {
    checkUp.skip(what, 'there is none, so no skills are offered here');
    return checkUp;
  }
  if (!checkUp.expectStatus(reply, 200, what, 'no skill can be added from here')) return checkUp;
  const index = z
    .looseObject({ $schema: z.literal(SCHEMA), skills: z.array(z.unknown()) })
    .safeParse(reply.json, { error: describeIssue });
  if (!index.success) {
    checkUp.fail(what, `${summarizeProblems(describeProblems(index.error))}: the client ignores the index`);
    return checkUp;
  }
  checkUp.ok(`${what} with ${index.data.skills.length} skills`);
  let fetched = 0;
  for (const [at, one] of index.data.skills.slice(0, MOST_FILES).entries()) {
    const parsed = skill.safeParse(one, { error: describeIssue });
    if (!parsed.success) {
      checkUp.fail(
        'skills of the index',
        `skill ${at + 1}: ${summarizeProblems(describeProblems(parsed.error))}: the client drops it`,
      );
      continue;
    }
    await checkFile(ask, base, parsed.data, checkUp);
    fetched++;
  }
  if (fetched > 0 && !checkUp.hasFailed) checkUp.ok(`files of ${fetched} skills match their digests`);
  return checkUp;
}

async function checkFile(
  ask: Ask,
  base: string,
  one: z.infer<typeof skill>,
  checkUp: CheckUp,
): Promise<void> {
  const what = `file of the skill ${one.name}`;
  const url = URL.canParse(one.url, base + INDEX) ? new URL(one.url, base + INDEX) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    checkUp.fail(what, `${one.url} is no URL that could be fetched`);
    return;
  }
  const reply = await ask(url.href, { headers: { Accept: '*/*' } });
  if (!checkUp.expectStatus(reply, 200, what, 'the skill cannot be added')) return;
  const digest = `sha256:${createHash('sha256').update(reply.bytes).digest('hex')}`;
  if (digest !== one.digest) {
    checkUp.fail(
      what,
      `${url.href} has the digest ${digest}, the index says ${one.digest}: the client drops the skill`,
    );
  }
}
