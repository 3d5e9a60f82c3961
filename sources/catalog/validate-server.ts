import { OFFICIAL_META, ORIGIN_META } from '../model/meta-keys.ts';
import type { OfficialBlock } from '../model/official-block.ts';
import { isPlainObject, omitMembers, type PlainObject } from '../model/plain-object.ts';
import { readPublisherExtension } from '../model/publisher-extension.ts';
import { serverJsonSchema } from '../model/server-json.ts';
import { describeIssue, describeProblems } from './describe-problems.ts';
import { upgradeServerJson } from './upgrade-server-json.ts';
import {
  checkMetaSize,
  DEFAULT_META_BYTES,
  isTooDeep,
  refuse,
  stripRegistryMeta,
  type Validation,
} from './validation.ts';

export interface ServerContext {
  /** Most bytes of JSON a `_meta` may have. */
  readonly maxMetaBytes?: number;
  /** What the upstream registry says of the version; absent when a server is published. */
  readonly official?: OfficialBlock;
  /** The `_meta` of the envelope the server came in. */
  readonly envelopeMeta?: PlainObject;
}

/**
 * Checks one server.json of any dated schema (contract 3). Members the schema does not know are kept; an official block
 * and an origin block in its `_meta` are dropped, because only a registry writes them.
 * @returns the entry, or every problem with the member it is in
 */
export function validateServer(body: unknown, context: ServerContext = {}): Validation {
  if (!isPlainObject(body)) return refuse('', 'must be an object');
  if (isTooDeep(body)) return refuse('', 'is nested too deeply');
  const upgraded = upgradeServerJson(body);
  const server = stripRegistryMeta(upgraded.body);
  const parsed = serverJsonSchema.safeParse(server, { error: describeIssue });
  if (!parsed.success) return { ok: false, problems: describeProblems(parsed.error) };
  const { unknownStatus, ...official } = context.official ?? {};
  if (unknownStatus !== undefined)
    return refuse('status', `must be active, deprecated or deleted, not ${unknownStatus}`);
  const vendorMeta = vendorMembers(context.envelopeMeta);
  if (isTooDeep(vendorMeta)) return refuse('_meta', 'is nested too deeply');
  const oversize = checkMetaSize(server, vendorMeta, context.maxMetaBytes ?? DEFAULT_META_BYTES);
  if (oversize) return { ok: false, problems: [oversize] };
  const { name, version, _meta } = parsed.data;
  const { tags, tools, deprecated } = readPublisherExtension(_meta);
  const status = official.status ?? upgraded.status ?? (deprecated ? 'deprecated' : 'active');
  return {
    ok: true,
    entry: {
      type: 'server',
      name,
      version,
      body: server,
      ...official,
      status,
      ...(vendorMeta ? { vendorMeta } : {}),
      tags,
      tools,
    },
  };
}

function vendorMembers(meta: PlainObject | undefined): PlainObject | undefined {
  const own = meta && omitMembers(meta, [OFFICIAL_META, ORIGIN_META]);
  return own && Object.keys(own).length > 0 ? own : undefined;
}
