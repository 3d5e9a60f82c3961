import { PUBLISHER_META } from './meta-keys.ts';
import { isPlainObject, type PlainObject } from './plain-object.ts';

/** What is read out of the publisher-provided block (contract 12.4). */
export interface PublisherExtension {
  readonly tags: readonly string[];
  readonly tools: readonly string[];
  /** Every status given in the block says `Deprecated`, and at least one is given. */
  readonly deprecated: boolean;
}

/**
 * Reads `<vendor>.<id>.tags`, `.tools` and `.status` of any vendor and any id (a package identifier or a URL) out of
 * the publisher-provided block of an entry's `_meta`. Whatever has another shape belongs to its vendor and is passed over.
 */
export function readPublisherExtension(meta: PlainObject | undefined): PublisherExtension {
  const tags = new Set<string>();
  const tools = new Set<string>();
  const statuses: string[] = [];
  for (const vendor of objectsIn(meta?.[PUBLISHER_META])) {
    for (const described of objectsIn(vendor)) {
      addTexts(tags, described.tags);
      addTexts(tools, described.tools);
      if (typeof described.status === 'string') statuses.push(described.status.toLowerCase());
    }
  }
  const deprecated = statuses.length > 0 && statuses.every((status) => status === 'deprecated');
  return { tags: [...tags], tools: [...tools], deprecated };
}

function objectsIn(value: unknown): readonly PlainObject[] {
  return isPlainObject(value) ? Object.values(value).filter(isPlainObject) : [];
}

function addTexts(target: Set<string>, value: unknown): void {
  if (!Array.isArray(value)) return;
  for (const item of value) if (typeof item === 'string' && item.trim() !== '') target.add(item.trim());
}
