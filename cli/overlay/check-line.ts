import { checkSourcePolicy } from '../../server/admin/check-source-policy.ts';
import { readRegistryBody, readSourceBody } from '../../server/admin/read-declaration.ts';
import { SOURCE_RECORD } from '../../server/declared-records.ts';
import type { StoredEntry, StoredRecord, StoredVersion } from '../../server/overlay/overlay-store.ts';
import { summarizeProblems } from '../../sources/catalog/describe-problems.ts';
import { validateServer } from '../../sources/catalog/validate-server.ts';
import { validateSkill } from '../../sources/catalog/validate-skill.ts';
import type { LoadedConfig } from '../../sources/config/schema.ts';
import { BerthError } from '../../sources/errors.ts';
import { readRecord } from './api-record.ts';
import { lineSchema, type OverlayLine } from './overlay-line.ts';

/**
 * Reads a line and checks what it holds by the rules it was once published or created by.
 * @throws BerthError `line_invalid`; HttpError `source_invalid`, `registry_invalid`, `path_forbidden`,
 *   `address_forbidden`
 */
export function checkLine(text: string, loaded: LoadedConfig): OverlayLine {
  const parsed = lineSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`it ${issue?.message ?? 'is not what an export writes'}`);
  }
  const line = parsed.data;
  if ('entry' in line) checkEntry(line.entry);
  else checkRecord(line.record, loaded);
  return line;
}

function checkEntry({ type, name, versions }: StoredEntry): void {
  const seen = new Set<string>();
  for (const stored of versions) {
    if (seen.has(stored.version)) throw invalid(`it has the version ${stored.version} twice`);
    seen.add(stored.version);
    checkVersion(type, name, stored);
  }
}

function checkVersion(type: StoredEntry['type'], name: string, { version, body }: StoredVersion): void {
  const validate = type === 'server' ? validateServer : validateSkill;
  // How much metadata may be published is a setting of today; what was published stays.
  const checked = validate(parseJson(body), { maxMetaBytes: Number.POSITIVE_INFINITY });
  if (!checked.ok)
    throw invalid(`its version ${version} is no valid ${type}: ${summarizeProblems(checked.problems)}`);
  if (checked.entry.name !== name || checked.entry.version !== version) {
    throw invalid(`it names ${name} ${version}, its body ${checked.entry.name} ${checked.entry.version}`);
  }
}

function checkRecord({ kind, name, json }: StoredRecord, loaded: LoadedConfig): void {
  const { body } = readStored(json);
  const declared = kind === SOURCE_RECORD ? loaded.config.sources : loaded.config.registries;
  if (declared.some((known) => known.name === name))
    throw new BerthError('name_taken', `The configuration has a ${kind} ${name} of its own.`);
  if (kind === SOURCE_RECORD) checkSourcePolicy(readSourceBody(name, body), loaded);
  else readRegistryBody(name, body);
}

function readStored(json: string): ReturnType<typeof readRecord> {
  try {
    return readRecord(json);
  } catch (cause) {
    throw invalid('its json is no record', cause);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid('it is not JSON', cause);
  }
}

function invalid(why: string, cause?: unknown): BerthError {
  return new BerthError(
    'line_invalid',
    `The line cannot be read: ${why}.`,
    cause === undefined ? {} : { cause },
  );
}
