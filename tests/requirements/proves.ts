import { isRequirementId, type RequirementId } from './documents.ts';

export type { RequirementId };

/**
 * Names the requirements a test proves, for the start of its title:
 * it(`${proves('S-5.9-03')} denies ...`, ...).
 *
 * @param ids one or more ids as string literals, because the coverage test reads them from the source text
 * @returns the ids in brackets, such as `[S-5.9-03 C-7-02]`
 * @throws Error when an id is in no document
 */
export function proves(...ids: [RequirementId, ...RequirementId[]]): string {
  for (const id of ids) {
    if (!isRequirementId(id)) throw new Error(`No requirement has the id ${JSON.stringify(id)}.`);
  }
  return `[${ids.join(' ')}]`;
}
