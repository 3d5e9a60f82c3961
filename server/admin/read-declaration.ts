import { checkConfigText } from '../../sources/config/load-config.ts';
import { type RegistryConfig, registrySchema, type SourceConfig } from '../../sources/config/schema.ts';
import { HttpError } from '../http/problem.ts';

const PLACE = /sources\[0\]\.?/g;

/**
 * Reads a source as the API was sent it, by the rules of the configuration file. Nothing is expanded in it: `${` is
 * escaped first.
 * @throws HttpError 400 `source_invalid`
 */
export function readSourceBody(name: string, body: unknown): SourceConfig {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('source', 'the body must be an object');
  if ('name' in body && body.name !== name)
    throw invalid('source', 'the name in the body differs from the one in the path');
  const source = { ...body, name };
  const whole = {
    sources: [source],
    registries: [{ name: 'r', sources: [name] }],
    auth: { mode: 'anonymous' },
  };
  const { config, problems } = checkConfigText(JSON.stringify(whole).replaceAll('${', '$${'), 'body', {});
  const [read] = config?.sources ?? [];
  if (read) return read;
  const messages = problems.map(
    ({ message, fix }) => `${message.replaceAll(PLACE, '')}${fix ? ` (${fix})` : ''}`,
  );
  throw invalid('source', messages.join('; '));
}

/** @throws HttpError 400 `registry_invalid` */
export function readRegistryBody(name: string, body: unknown): RegistryConfig {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('registry', 'the body must be an object');
  if ('name' in body && body.name !== name)
    throw invalid('registry', 'the name in the body differs from the one in the path');
  const parsed = registrySchema.safeParse({ ...body, name });
  if (!parsed.success) {
    throw invalid(
      'registry',
      parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`).join('; '),
    );
  }
  const repeated = parsed.data.sources.find((source, index, all) => all.indexOf(source) !== index);
  if (repeated !== undefined) throw invalid('registry', `the source ${repeated} is listed twice`);
  return parsed.data;
}

function invalid(what: 'source' | 'registry', why: string): HttpError {
  return new HttpError(400, `${what}_invalid`, `The ${what} is not valid: ${why}.`);
}
