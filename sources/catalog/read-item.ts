import { OFFICIAL_META } from '../model/meta-keys.ts';
import { readOfficialBlock } from '../model/official-block.ts';
import { isPlainObject, type PlainObject } from '../model/plain-object.ts';
import type { RawItem } from './list-items.ts';
import { validateServer } from './validate-server.ts';
import { validateSkill } from './validate-skill.ts';
import type { Validation } from './validation.ts';

/** The member in which the first registries put the official block, beside the server. */
const FIRST_OFFICIAL = 'x-io.modelcontextprotocol.registry';

/** The object an item describes: inside its envelope `{server, _meta}`, or the item itself. */
export function bodyOfItem(item: RawItem): unknown {
  return item.type === 'server' && isEnvelope(item.value) ? item.value.server : item.value;
}

/** Checks an item of a catalog with what its registry says about it. */
export function readItem(item: RawItem, maxMetaBytes: number): Validation {
  const body = bodyOfItem(item);
  const inner = metaOf(body);
  if (item.type === 'skill') {
    return validateSkill(body, { maxMetaBytes, official: readOfficialBlock(inner), fromCatalog: true });
  }
  const envelopeMeta = isEnvelope(item.value) ? envelopeMetaOf(item.value) : undefined;
  const official = envelopeMeta && OFFICIAL_META in envelopeMeta ? envelopeMeta : inner;
  return validateServer(body, {
    maxMetaBytes,
    official: readOfficialBlock(official),
    ...(envelopeMeta ? { envelopeMeta } : {}),
  });
}

function isEnvelope(value: unknown): value is PlainObject {
  return isPlainObject(value) && isPlainObject(value.server);
}

function envelopeMetaOf(envelope: PlainObject): PlainObject | undefined {
  const first = envelope[FIRST_OFFICIAL];
  return metaOf(envelope) ?? (isPlainObject(first) ? { [OFFICIAL_META]: first } : undefined);
}

function metaOf(value: unknown): PlainObject | undefined {
  const meta = isPlainObject(value) ? value._meta : undefined;
  return isPlainObject(meta) ? meta : undefined;
}
