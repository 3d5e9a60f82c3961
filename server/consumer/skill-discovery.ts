import type { SkillArtifact } from '../../sources/model/entry-table.ts';
import { mergeNames } from '../view/merge-names.ts';
import { isShadowed } from '../view/query.ts';
import type { Sight } from '../view/registry-view.ts';

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

interface Offered {
  readonly name: string;
  readonly description: string;
  readonly artifact: SkillArtifact;
}

/**
 * The Agent Skills discovery index (contract 5, 12.7): the latest version of every visible skill that has files. Skills
 * are known by their bare name there, so of two namespaces with the same one the first in order is offered.
 */
export function writeSkillIndex(sight: Sight): string {
  const skills = listOffered(sight).map(({ name, description, artifact }) => ({
    name,
    type: artifact.type,
    description,
    url: fileOf(name, artifact),
    digest: `sha256:${artifact.digest}`,
  }));
  return JSON.stringify({ $schema: SCHEMA, skills });
}

/** The file an index entry points to, or undefined. */
export function findSkillFile(sight: Sight, file: string): SkillArtifact | undefined {
  return listOffered(sight).find(({ name, artifact }) => fileOf(name, artifact) === file)?.artifact;
}

function listOffered(sight: Sight): Offered[] {
  const offered = new Map<string, Offered>();
  for (const { part, table, index, name: fullName } of mergeNames(sight.parts, {
    type: 'skill',
    from: '',
    source: undefined,
    tag: undefined,
  })) {
    const row = table.latestOf(index);
    const name = fullName.slice(fullName.indexOf('/') + 1);
    if (row < 0 || offered.has(name) || isShadowed(sight.parts, part, 'skill', fullName)) continue;
    const artifact = part.segment.artifactOf(row);
    if (artifact) offered.set(name, { name, description: descriptionOf(table.bodyOf(row)), artifact });
  }
  return [...offered.values()];
}

/** Where the files of a skill lie, below the place of the index; `name` is the bare one. */
export function fileOf(name: string, artifact: SkillArtifact): string {
  return artifact.type === 'skill-md' ? `${name}/SKILL.md` : `${name}.tar.gz`;
}

function descriptionOf(body: string): string {
  const skill: unknown = JSON.parse(body);
  const text =
    typeof skill === 'object' && skill !== null && 'description' in skill ? skill.description : undefined;
  return typeof text === 'string' ? text : '';
}
