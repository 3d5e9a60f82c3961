import { withoutAbsent } from '../flags/without-absent.ts';
import type { FilledArgument } from './fill-arguments.ts';

/**
 * Port and path of the URL a package serves, such as `http://localhost:8080/mcp`. A `{part}` is looked for among the
 * environment and the named arguments.
 */
export function readTarget(
  template: string,
  env: Readonly<Record<string, string>>,
  args: readonly FilledArgument[],
): { readonly port?: number; readonly path?: string } {
  const named = Object.fromEntries(
    args.flatMap(({ name, value }) => (name === undefined || value === undefined ? [] : [[name, value]])),
  );
  const text = template.replaceAll(
    /\{([^{}\s]+)\}/g,
    (whole, name: string) => env[name] ?? named[name] ?? named[`--${name}`] ?? whole,
  );
  if (!URL.canParse(text)) return {};
  const url = new URL(text);
  return withoutAbsent({
    port: url.port === '' ? undefined : Number(url.port),
    path: url.pathname === '/' ? undefined : `${url.pathname}${url.search}`,
  });
}
