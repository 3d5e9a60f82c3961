import type { EntryStatus } from '../model/entry.ts';
import type { OfficialBlock } from '../model/official-block.ts';
import { isPlainObject, omitMembers, type PlainObject } from '../model/plain-object.ts';
import { readPublisherExtension } from '../model/publisher-extension.ts';
import { catalogSkillSchema, skillSchema } from '../model/skill.ts';
import { describeIssue, describeProblems } from './describe-problems.ts';
import {
  checkMetaSize,
  DEFAULT_META_BYTES,
  isTooDeep,
  refuse,
  stripRegistryMeta,
  type Validation,
} from './validation.ts';

export interface SkillContext {
  readonly maxMetaBytes?: number;
  /** What the upstream registry says of the version; absent when a skill is published. */
  readonly official?: OfficialBlock;
  /** The skill stands in a catalog: a namespace of one or two characters is accepted, it may be a source's name. */
  readonly fromCatalog?: boolean;
}

/**
 * Checks one skill object (contract 3). Members the schema does not know are kept; an official block and an origin
 * block in its `_meta` are dropped, because only a registry writes them. `archived` counts as deprecated.
 * @returns the entry, named `namespace/name`, or every problem with the member it is in
 */
export function validateSkill(body: unknown, context: SkillContext = {}): Validation {
  if (!isPlainObject(body)) return refuse('', 'must be an object');
  if (isTooDeep(body)) return refuse('', 'is nested too deeply');
  const { unknownStatus, ...official } = context.official ?? {};
  if (unknownStatus !== undefined)
    return refuse('status', `must be active, deprecated or deleted, not ${unknownStatus}`);
  const skill = agreeOnStatus(stripRegistryMeta(body), official.status);
  const schema = context.fromCatalog ? catalogSkillSchema : skillSchema;
  const parsed = schema.safeParse(skill, { error: describeIssue });
  if (!parsed.success) return { ok: false, problems: describeProblems(parsed.error) };
  const oversize = checkMetaSize(skill, undefined, context.maxMetaBytes ?? DEFAULT_META_BYTES);
  if (oversize) return { ok: false, problems: [oversize] };
  const { namespace, name, version, status, metadata, _meta } = parsed.data;
  const { tags, tools, deprecated } = readPublisherExtension(_meta);
  const own = status === undefined ? (deprecated ? 'deprecated' : 'active') : entryStatusOf(status);
  return {
    ok: true,
    entry: {
      type: 'skill',
      name: `${namespace}/${name}`,
      version,
      body: skill,
      ...official,
      status: official.status ?? own ?? 'active',
      tags: [...new Set([...tags, ...tagsOf(metadata)])],
      tools,
    },
  };
}

/** The official block decides; a status inside the skill that says otherwise is left out, so an item never contradicts itself. */
function agreeOnStatus(skill: PlainObject, official: EntryStatus | undefined): PlainObject {
  if (official === undefined || skill.status === undefined) return skill;
  return entryStatusOf(skill.status) === official && official !== 'deleted'
    ? skill
    : omitMembers(skill, ['status']);
}

function entryStatusOf(status: unknown): EntryStatus | undefined {
  if (status === 'archived' || status === 'deprecated') return 'deprecated';
  return status === 'active' ? 'active' : undefined;
}

/** `metadata.tags`: a list, or text with commas between (Agent Skills metadata holds only text). */
function tagsOf(metadata: PlainObject | undefined): readonly string[] {
  const tags = metadata?.tags;
  const list: readonly unknown[] =
    typeof tags === 'string' ? tags.split(',') : Array.isArray(tags) ? tags : [];
  return list.flatMap((tag) => (typeof tag === 'string' && tag.trim() !== '' ? [tag.trim()] : []));
}
