/** A catalog file with these servers, each given as `namespace/name` or `namespace/name@version`. */
export function makeCatalog(names: readonly string[], more: object = {}): string {
  const servers = names.map((full) => {
    const [name = '', version = '1.0.0'] = full.split('@');
    return { name, description: `About ${name}`, version, ...more };
  });
  return JSON.stringify({
    version: '1.0.0',
    meta: { last_updated: '2026-01-01T00:00:00Z' },
    data: { servers },
  });
}

/** A source block that holds its catalog itself. */
export function inlineSource(name: string, names: readonly string[], more: object = {}): object {
  return { name, file: { data: JSON.parse(makeCatalog(names)) }, syncPolicy: { interval: '1h' }, ...more };
}
