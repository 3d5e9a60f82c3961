/** An image reference taken apart. */
export interface ImageReference {
  /** Registry host with its port; absent: that of the engine. */
  readonly host?: string;
  /** The path after the host. */
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

const HOST =
  /^(?:localhost|[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+|\[[0-9a-fA-F:]+\])(?::\d+)?$|^[a-zA-Z0-9-]+:\d+$/;
const PART = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;

/** Reads `[host/]path[:tag][@digest]`; undefined for what cannot be an image. */
export function readImageReference(text: string): ImageReference | undefined {
  const at = text.indexOf('@');
  const digest = at < 0 ? undefined : text.slice(at + 1);
  if (digest !== undefined && !DIGEST.test(digest)) return undefined;
  const named = at < 0 ? text : text.slice(0, at);
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1);
  const tag = colon < 0 ? undefined : named.slice(colon + 1);
  if (tag !== undefined && !TAG.test(tag)) return undefined;
  const parts = (colon < 0 ? named : named.slice(0, colon)).split('/');
  const host = parts.length > 1 && HOST.test(parts[0] ?? '') ? parts.shift() : undefined;
  const repository = parts.join('/');
  if (repository.length > 255 || !parts.every((part) => PART.test(part))) return undefined;
  return {
    repository,
    ...(host === undefined ? {} : { host }),
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** Whether a reference can be nothing else: no name of a server has a tag, a digest, a port or a second slash. */
export function isSurelyImage({ host, repository, tag, digest }: ImageReference): boolean {
  const slashes = repository.split('/').length - 1 + (host === undefined ? 0 : 1);
  return tag !== undefined || digest !== undefined || slashes > 1 || host?.includes(':') === true;
}
