import type { ServerJson } from './server-json.ts';

export type ServerPackage = NonNullable<ServerJson['packages']>[number];
export type ServerRemote = NonNullable<ServerJson['remotes']>[number];

/** One of the things an entry offers to run. */
export type Runnable =
  | { readonly kind: 'package'; readonly package: ServerPackage }
  | { readonly kind: 'remote'; readonly remote: ServerRemote };

/** Which types can be run; the first of the first type there is, is run when nobody chooses (run contract 2). */
export const RUN_ORDER: readonly string[] = ['oci', 'npm', 'pypi', 'remote'];

const PUBLIC_IMAGES = /^(?:docker\.io|index\.docker\.io|registry-1\.docker\.io|hub\.docker\.com)$/;

/** What an entry offers, packages before remotes. */
export function listRunnables(server: ServerJson): Runnable[] {
  return [
    ...(server.packages ?? []).map((one): Runnable => ({ kind: 'package', package: one })),
    ...(server.remotes ?? []).map((remote): Runnable => ({ kind: 'remote', remote })),
  ];
}

/** The one that is run when nobody chooses; undefined when none can be run. */
export function findPreferred(all: readonly Runnable[]): Runnable | undefined {
  return RUN_ORDER.map((type) => all.find((one) => typeOfRunnable(one) === type)).find(Boolean);
}

export function typeOfRunnable(one: Runnable): string {
  return one.kind === 'remote' ? 'remote' : one.package.registryType;
}

/** The image with the host of its registry and, when it names neither tag nor digest, its version as tag. */
export function imageOf({ identifier, version, registryBaseUrl }: ServerPackage): string {
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

/** The package with its version, unless its identifier has one. */
export function packageOf({ identifier, version }: ServerPackage): string {
  const hasVersion = identifier.lastIndexOf('@') > 0;
  return hasVersion || version === undefined || version === '' ? identifier : `${identifier}@${version}`;
}

/** Under which keys a publisher may describe the package. */
export function keysOf(chosen: ServerPackage): string[] {
  const { identifier, version } = chosen;
  const versioned = version === undefined ? [] : [`${identifier}:${version}`, `${identifier}@${version}`];
  return [identifier, ...(chosen.registryType === 'oci' ? [imageOf(chosen)] : []), ...versioned];
}
