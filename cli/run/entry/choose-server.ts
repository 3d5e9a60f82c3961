import type { PlanInput } from '../plan.ts';
import type { ServerPackage } from './choose-package.ts';

const PUBLIC_IMAGES = /^(?:docker\.io|index\.docker\.io|registry-1\.docker\.io|hub\.docker\.com)$/;
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

/** Under which keys a publisher may describe the package. */
export function keysOf(chosen: ServerPackage): string[] {
  const { identifier, version } = chosen;
  const versioned = version === undefined ? [] : [`${identifier}:${version}`, `${identifier}@${version}`];
  return [identifier, ...(chosen.registryType === 'oci' ? [imageOf(chosen)] : []), ...versioned];
}

/** The image with the host of its registry and, when it names neither tag nor digest, its version as tag. */
function imageOf({ identifier, version, registryBaseUrl }: ServerPackage): string {
  const host =
    registryBaseUrl !== undefined && URL.canParse(registryBaseUrl) ? new URL(registryBaseUrl).host : '';
  const [first = ''] = identifier.split('/');
  const isHosted = identifier.includes('/') && /[.:]|^localhost$/.test(first);
  const image = host === '' || isHosted || PUBLIC_IMAGES.test(host) ? identifier : `${host}/${identifier}`;
  const last = image.slice(image.lastIndexOf('/') + 1);
  return last.includes(':') || last.includes('@') || version === undefined || version === ''
    ? image
    : `${image}:${version}`;
}

function packageOf({ identifier, version }: ServerPackage): string {
  const hasVersion = identifier.lastIndexOf('@') > 0;
  return hasVersion || version === undefined || version === '' ? identifier : `${identifier}@${version}`;
}
