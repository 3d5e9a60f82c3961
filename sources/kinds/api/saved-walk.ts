import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { ApiSource } from '../../config/schema.ts';
import { BerthError } from '../../errors.ts';
import { digestBytes } from '../digest-files.ts';
import { addItems, type ItemSet } from './item-set.ts';
import type { RegistryWalk } from './walk-registry.ts';
import type { SkillWalk } from './walk-skills.ts';

/** What is known of a registry after a walk, kept between walks so that only changes have to be asked for. */
export interface SavedWalk extends SkillWalk {
  readonly servers: ItemSet;
  /** Our clock when everything was last walked. */
  readonly fullWalkAt: number;
  /** RFC 3339, by the registry's clock: what is asked for from then on is not missed. */
  readonly since: string;
  /** sha256 hex of its content. */
  readonly digest: string;
}

const headSchema = z.strictObject({
  format: z.literal(1),
  fullWalkAt: z.number(),
  since: z.string(),
  listed: z.record(z.string(), z.string()),
  digest: z.string(),
});
const contentSchema = z.looseObject({ servers: z.array(z.unknown()), skills: z.array(z.unknown()) });

/**
 * The file of a source below the data directory. Another identity may see other entries, so who asks is part of it.
 *
 * @param base of the registry, without credentials
 */
export function placeSavedWalk(dataDir: string, base: string, source: ApiSource, baseDir: string): string {
  const who = [base, source.endpoint, source.auth ?? null, source.auth ? baseDir : null];
  const name = createHash('sha256').update(JSON.stringify(who)).digest('hex');
  return join(dataDir, 'api', `${name.slice(0, 32)}.json`);
}

/** Reads a saved walk; undefined when there is none or it is damaged, so that everything is walked anew. */
export async function readSavedWalk(path: string): Promise<SavedWalk | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    const end = text.indexOf('\n');
    const { format: _format, ...head } = headSchema.parse(JSON.parse(text.slice(0, end)));
    const content = text.slice(end + 1);
    if (digestBytes(content) !== head.digest) return undefined;
    const items = contentSchema.parse(JSON.parse(content));
    const servers: ItemSet = new Map();
    const skills: ItemSet = new Map();
    addItems(servers, 'server', items.servers);
    addItems(skills, 'skill', items.skills);
    return { ...head, servers, skills };
  } catch {
    return undefined;
  }
}

/**
 * Keeps a walk for the next one, for its owner alone, all or nothing. One that says nothing new, or that the next one
 * could not start from, is not written.
 *
 * @param before what was kept so far
 * @param content as `writeContent` writes it of the walk
 * @throws BerthError `source_unsaved`
 */
export async function saveWalk(
  path: string,
  before: SavedWalk | undefined,
  walk: RegistryWalk,
  content: string,
): Promise<void> {
  const { fullWalkAt, since, listed } = walk;
  if (since === undefined) return;
  const head: z.infer<typeof headSchema> = {
    format: 1,
    fullWalkAt,
    since,
    listed,
    digest: digestBytes(content),
  };
  if (before && writeHead(head) === writeHead({ ...before, format: 1 })) return;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFileAtomic(path, `${writeHead(head)}\n${content}`, { mode: 0o600 });
  } catch (cause) {
    const what = 'What was read of the registry cannot be kept in the data directory.';
    throw new BerthError('source_unsaved', what, {
      fix: 'Let the user that runs Berth write there, and check that the disk is not full.',
      cause,
    });
  }
}

function writeHead({ format, fullWalkAt, since, listed, digest }: z.infer<typeof headSchema>): string {
  return JSON.stringify({ format, fullWalkAt, since, listed, digest });
}
