import { PUBLISHER_META } from '../../../sources/model/meta-keys.ts';
import { findPreferred, keysOf, listRunnables } from '../../../sources/model/package-reference.ts';
import { isPlainObject, type PlainObject } from '../../../sources/model/plain-object.ts';
import type { ServerJson } from '../../../sources/model/server-json.ts';
import { asObject } from './read-item.ts';

/** The only vendor whose settings `berth run` obeys. */
const VENDOR = 'io.github.stacklok';

/** What the publisher says of that package or remote of the entry which `berth run` takes; empty when it says nothing. */
export function findPublisherBlock(meta: PlainObject, server: ServerJson): PlainObject {
  const vendor = asObject(asObject(meta[PUBLISHER_META])[VENDOR]);
  const preferred = findPreferred(listRunnables(server));
  if (!preferred) return {};
  const keys = preferred.kind === 'remote' ? [preferred.remote.url] : keysOf(preferred.package);
  const described = keys.map((key) => (Object.hasOwn(vendor, key) ? vendor[key] : undefined));
  const blocks = Object.values(vendor).filter(isPlainObject);
  return described.find(isPlainObject) ?? asObject(blocks.length === 1 ? blocks[0] : {});
}
