export interface EntryPath {
  readonly registry: string;
  /** `namespace/name` */
  readonly name: string;
  /** Undefined for the latest. */
  readonly version: string | undefined;
}

/**
 * What the address of an entry's page names. Read from the request, since parameters of a route keep `%2B` and the like.
 * @param url `/catalog/REGISTRY/KIND/NAMESPACE/NAME[/VERSION]`
 */
export function readEntryPath(url: string): EntryPath {
  const parts = new URL(url).pathname.split('/').slice(2).map(decodeURIComponent);
  const [registry = '', , namespace = '', name = '', version = ''] = parts;
  return { registry, name: `${namespace}/${name}`, version: version === '' ? undefined : version };
}
