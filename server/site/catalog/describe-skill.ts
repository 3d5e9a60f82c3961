import type { PlainObject } from '../../../sources/model/plain-object.ts';
import { fileOf } from '../../consumer/skill-discovery.ts';
import { findVersion } from '../../view/find-entry.ts';
import type { Found } from '../../view/query.ts';
import type { Sight } from '../../view/registry-view.ts';
import type { SkillBody } from '../catalog-reader.ts';
import { indexSight } from './index-sight.ts';
import { objectsIn, textOf, textsIn } from './read-item.ts';

/**
 * What a page tells of a skill besides its card.
 * @param registryUrl without a slash at the end
 */
export function describeSkill(sight: Sight, found: Found, body: PlainObject, registryUrl: string): SkillBody {
  const file = findOfferedFile(sight, found);
  return {
    license: textOf(body.license),
    compatibility: textOf(body.compatibility),
    allowedTools: textsIn(body.allowedTools),
    packages: objectsIn(body.packages).map((one) => ({
      type: textOf(one.registryType) ?? '',
      text: describePackage(one),
    })),
    download:
      file === undefined
        ? undefined
        : `${registryUrl}/.well-known/agent-skills/${file.split('/').map(encodeURIComponent).join('/')}`,
  };
}

function describePackage({ identifier, url, ref, commit, subfolder, digest }: PlainObject): string {
  const place = textOf(identifier) ?? textOf(url) ?? '';
  const details = [textOf(ref), textOf(commit), textOf(subfolder), textOf(digest)];
  return [place, ...details.filter((detail) => detail !== undefined)].join(' ');
}

/**
 * The file discovery offers of this version: only of the latest one, and of skills with the same bare name only of the
 * first that has files.
 */
function findOfferedFile(sight: Sight, { part, table, row, isLatest }: Found): string | undefined {
  const artifact = isLatest ? part.segment.artifactOf(row) : undefined;
  if (!artifact) return undefined;
  const name = table.nameAt(table.nameIndexOf(row));
  const ending = name.slice(name.indexOf('/'));
  for (const other of indexSight(sight, 'skill').names) {
    if (other === name) break;
    if (!other.endsWith(ending)) continue;
    const latest = findVersion(sight, 'skill', other, 'latest', false);
    if (latest?.part.segment.artifactOf(latest.row)) return undefined;
  }
  return fileOf(ending.slice(1), artifact);
}
