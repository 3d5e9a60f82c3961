import type { EntryStatus } from '../model/entry.ts';
import { cutAtWord } from '../model/limited-text.ts';
import { isEntryStatus } from '../model/official-block.ts';
import { isPlainObject, omitMembers, type PlainObject } from '../model/plain-object.ts';
import { SERVER_SCHEMA_URL } from '../model/server-json.ts';

/** A server.json in today's shape. */
export interface UpgradedServer {
  readonly body: PlainObject;
  /** The status older schemas kept inside the server. */
  readonly status?: EntryStatus;
}

/** Members the schemas before 2025-09-16 wrote in snake_case. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['registry_type', 'registryType'],
  ['registry_name', 'registryType'],
  ['registry_base_url', 'registryBaseUrl'],
  ['file_sha256', 'fileSha256'],
  ['runtime_hint', 'runtimeHint'],
  ['runtime_arguments', 'runtimeArguments'],
  ['package_arguments', 'packageArguments'],
  ['environment_variables', 'environmentVariables'],
  ['transport_type', 'type'],
  ['value_hint', 'valueHint'],
  ['is_required', 'isRequired'],
  ['is_secret', 'isSecret'],
  ['is_repeated', 'isRepeated'],
]);

const DESCRIPTION_LIMIT = 100;

/**
 * Brings a server.json of an older dated schema to the 2025-12-11 shape (contract 3). One without the marks of an
 * older schema comes back as it is. What had no limit then is made to fit: a description is cut to 100 characters, an
 * empty package version left out. A package without a transport ran on stdio.
 */
export function upgradeServerJson(body: PlainObject): UpgradedServer {
  const held = dropEmptyRepository(body);
  const status = isEntryStatus(held.status) ? held.status : undefined;
  if (!isOld(held)) return { body: held };
  const { version_detail: detail, website_url: website, description, ...rest } = held;
  const version = isPlainObject(detail) ? detail.version : undefined;
  const upgraded: PlainObject = {
    ...omitMembers(rest, ['id', 'status']),
    $schema: SERVER_SCHEMA_URL,
    ...(description === undefined
      ? {}
      : {
          description:
            typeof description === 'string' ? cutAtWord(description, DESCRIPTION_LIMIT) : description,
        }),
    ...(rest.version === undefined && version !== undefined ? { version } : {}),
    ...(website === undefined ? {} : { websiteUrl: website }),
    ...mapList(rest, 'packages', (pack) => upgradePackage(renameMembers(pack))),
    ...mapList(rest, 'remotes', renameMembers),
  };
  return { body: upgraded, ...(status ? { status } : {}) };
}

function isOld(body: PlainObject): boolean {
  if ('version_detail' in body || 'website_url' in body) return true;
  if (body.$schema === SERVER_SCHEMA_URL) return false;
  return isEntryStatus(body.status) || hasOldMember(body.packages) || hasOldMember(body.remotes);
}

/** Looks for a renamed member at any depth, but not among the names that users choose for variables. */
function hasOldMember(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasOldMember);
  if (!isPlainObject(value)) return false;
  return Object.entries(value).some(
    ([key, member]) =>
      RENAMED.has(key) ||
      (key === 'variables'
        ? isPlainObject(member) && Object.values(member).some(hasOldMember)
        : hasOldMember(member)),
  );
}

function renameMembers(object: PlainObject): PlainObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      RENAMED.get(key) ?? key,
      key === 'variables' ? renameVariables(value) : renameIn(value),
    ]),
  );
}

function renameIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renameIn);
  return isPlainObject(value) ? renameMembers(value) : value;
}

function renameVariables(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, variable]) => [name, renameIn(variable)]));
}

/** The first schema had `name` for the identifier, and sometimes the type of registry in `registry`. */
function upgradePackage(pack: PlainObject): PlainObject {
  const { name, registry, version, ...rest } = pack;
  const type = registry ?? rest.registryType;
  const registryType = type === 'docker' ? 'oci' : type;
  const identifier = rest.identifier ?? name;
  const tag =
    registryType === 'oci' && typeof identifier === 'string' && typeof version === 'string' && version !== '';
  return {
    ...rest,
    ...(registryType === undefined ? {} : { registryType }),
    ...(identifier === undefined ? {} : { identifier: tag ? addTag(identifier, version) : identifier }),
    ...(version === undefined || version === '' || version === 'latest' || tag ? {} : { version }),
    transport: rest.transport ?? { type: 'stdio' },
  };
}

/** The version of an image belongs into its identifier; one that stands there already is kept. */
function addTag(image: string, version: string): string {
  return /[:@][^/]*$/.test(image) ? image : `${image}:${version}`;
}

/** Registries that cannot leave the member out write `{}` or empty texts. */
function dropEmptyRepository(body: PlainObject): PlainObject {
  const repository = body.repository;
  if (!isPlainObject(repository)) return body;
  return Object.values(repository).every((value) => value === '') ? omitMembers(body, ['repository']) : body;
}

function mapList(body: PlainObject, member: string, change: (item: PlainObject) => PlainObject): PlainObject {
  const list = body[member];
  return Array.isArray(list)
    ? { [member]: list.map((item: unknown) => (isPlainObject(item) ? change(item) : item)) }
    : {};
}
