import { imageOf, packageOf, type ServerPackage } from '../../../sources/model/package-reference.ts';
import type { PlanInput } from '../plan.ts';

const SCHEME_OF: Readonly<Record<string, 'npx' | 'uvx'>> = { npm: 'npx', pypi: 'uvx' };

/**
 * The server of a package: the image, or the package with its declared version for npx or uvx, as its runtime hint
 * says (contract 2).
 */
export function chooseServer(
  chosen: ServerPackage,
  runtimeArguments: readonly string[],
): PlanInput['server'] {
  if (chosen.registryType === 'oci') return { kind: 'image', image: imageOf(chosen) };
  const scheme =
    chosen.runtimeHint === 'npx' || chosen.runtimeHint === 'uvx'
      ? chosen.runtimeHint
      : (SCHEME_OF[chosen.registryType] ?? 'npx');
  return {
    kind: 'protocol',
    scheme,
    package: packageOf(chosen),
    ...(runtimeArguments.length === 0 ? {} : { runtimeArguments: [...runtimeArguments] }),
  };
}
