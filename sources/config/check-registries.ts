import { type ConfigNode, type ConfigPath, findText, formatPath, listElements } from './config-tree.ts';
import type { Finding } from './locate-problem.ts';
import { suggestName } from './nearest-name.ts';
import { findRepeatedNames, type Rule } from './rule.ts';

/** The rules of `registries[]` (contract 2): unique names; sources that exist, each once. */
export const checkRegistries: Rule = (root) => {
  const known = listElements(root, ['sources']).flatMap(
    (source) => findText(root, [...source, 'name']) ?? [],
  );
  return [
    ...findRepeatedNames(root, ['registries'], 'registry'),
    ...listElements(root, ['registries']).flatMap((registry) => checkListed(root, registry, known)),
  ];
};

function checkListed(root: ConfigNode, registry: ConfigPath, known: readonly string[]): Finding[] {
  const listed = new Set<string>();
  return listElements(root, [...registry, 'sources']).flatMap((path): Finding[] => {
    const source = findText(root, path);
    if (source === undefined || source === '') return [];
    if (listed.has(source))
      return [{ path, message: `the source "${source}" is listed twice`, fix: 'Keep one of them.' }];
    listed.add(source);
    if (known.includes(source)) return [];
    const list = known.length === 0 ? 'there are none' : `known: ${known.join(', ')}`;
    const message = `${formatPath(path)}: there is no source "${source}"; ${list}`;
    return [{ path, message, fix: suggestName(source, known) }];
  });
}
