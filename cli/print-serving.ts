import type { Config } from '../sources/config/schema.ts';
import type { Paint } from './paint.ts';

/** What somebody who started the service at a terminal wants to know. */
export function printServing(
  server: { readonly url: string; readonly internalUrl: string | undefined },
  { registries, auth }: Config,
  paint: Paint,
): string {
  const bases = registries.map(({ name }) => `  ${paint.cyan(`${server.url}/registry/${name}`)}`);
  const mode = auth?.mode === 'anonymous' ? 'anonymous: no sign-in, nothing is protected' : 'oauth';
  return [
    '',
    `Berth serves ${paint.bold(server.url)} (${mode})`,
    registries.length === 1 ? 'Registry, as clients are given it:' : 'Registries, as clients are given them:',
    ...bases,
    `API documentation: ${paint.cyan(`${server.url}/docs/api`)}`,
    ...(server.internalUrl === undefined ? [] : [`Health and metrics: ${paint.cyan(server.internalUrl)}`]),
    'Ctrl-C ends it.',
    '',
    '',
  ].join('\n');
}
