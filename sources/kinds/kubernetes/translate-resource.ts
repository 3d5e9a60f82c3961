import { summarizeProblems } from '../../catalog/describe-problems.ts';
import type { EntryFilter } from '../../catalog/entry-filter.ts';
import { validateServer } from '../../catalog/validate-server.ts';
import type { Claims } from '../../model/claims.ts';
import type { CatalogEntry, Rejection } from '../../model/entry.ts';
import { cutAtWord } from '../../model/limited-text.ts';
import { PUBLISHER_META } from '../../model/meta-keys.ts';
import type { PlainObject } from '../../model/plain-object.ts';
import { SERVER_SCHEMA_URL } from '../../model/server-json.ts';
import {
  ANNOTATIONS,
  type AnnotationName,
  createAnnotationReader,
  type ReadAnnotation,
} from './annotations.ts';
import { type CustomResource, nameResource } from './custom-resource.ts';
import { readImageVersion } from './image-version.ts';
import { readClaims } from './read-claims.ts';
import { readTools } from './read-tools.ts';

/** An entry with the claims of its own annotation. */
export type ClusterEntry = CatalogEntry & { readonly claims: Claims };

/** What becomes of a resource. Hidden ones are not meant to be served, so nobody is told. */
export type Translation =
  | { readonly outcome: 'exported'; readonly entry: ClusterEntry }
  | { readonly outcome: 'rejected'; readonly rejection: Rejection }
  | { readonly outcome: 'hidden' };

export interface TranslationRules {
  readonly annotationPrefix: string;
  readonly filter: EntryFilter;
  readonly maxMetaBytes: number;
  /** Kind of the resource, for a description nobody wrote. */
  readonly kind: string;
}

const HIDDEN: Translation = { outcome: 'hidden' };
const VENDOR = 'io.github.stacklok';
const LONGEST_DESCRIPTION = 100;
const FIRST_VERSION = '1.0.0';

/**
 * Makes an entry of a custom resource (contract 2, kubernetes). A resource on its way out is gone already: its server
 * is being taken down. Claims come from the annotation alone (specification 2.2).
 */
export function translateResource(resource: CustomResource, rules: TranslationRules): Translation {
  const read = createAnnotationReader(resource, rules.annotationPrefix);
  const reject = (reason: string): Translation => ({
    outcome: 'rejected',
    rejection: { file: nameResource(resource), line: 1, reason },
  });
  const faulty = (name: AnnotationName, what: string) =>
    reject(`annotation ${rules.annotationPrefix}/${ANNOTATIONS[name]} ${what}`);

  const exported = read('export')?.trim() ?? 'false';
  if (exported === 'false' || resource.metadata.deletionTimestamp) return HIDDEN;
  const { namespace, name } = resource.metadata;
  const entryName = `com.toolhive.k8s.${namespace}/${name}`;
  if (!rules.filter.passesName(entryName)) return HIDDEN;
  if (exported !== 'true') return faulty('export', 'must be "true" or "false"');
  const claims = readClaims(read('claims'));
  if (!claims.ok) return faulty('claims', `is no claims object: ${claims.reason}`);
  const tools = readTools(read('tools') ?? '');
  if (!tools) return faulty('tools', 'must be a JSON array of names, or names with commas between them');
  const url = read('url')?.trim() || resource.status?.url;
  if (!url) return reject('has no address: neither the annotation registry-url nor status.url is set');

  const body = makeServer(entryName, resource, { read, url, tools, kind: rules.kind });
  const checked = validateServer(body, { maxMetaBytes: rules.maxMetaBytes });
  if (!checked.ok) return reject(summarizeProblems(checked.problems));
  if (!rules.filter.passesTags(checked.entry.tags)) return HIDDEN;
  const entry = { ...checked.entry, ...readTimes(resource), file: nameResource(resource), line: 1 };
  return { outcome: 'exported', entry: { ...entry, claims: claims.claims } };
}

interface ServerParts {
  readonly read: ReadAnnotation;
  readonly url: string;
  readonly tools: readonly string[];
  readonly kind: string;
}

function makeServer(
  name: string,
  { metadata, spec }: CustomResource,
  { read, url, tools, kind }: ServerParts,
): PlainObject {
  const text = (annotation: AnnotationName) => read(annotation)?.trim() || undefined;
  const [title, icon, category] = [text('title'), text('icon'), text('category')];
  const described = text('description') ?? `${kind} ${metadata.name} in namespace ${metadata.namespace}`;
  const extension = { ...(category ? { tags: [category] } : {}), ...(tools.length > 0 ? { tools } : {}) };
  return {
    $schema: SERVER_SCHEMA_URL,
    name,
    ...(title ? { title } : {}),
    description: cutAtWord(described, LONGEST_DESCRIPTION),
    version: text('version') ?? readImageVersion(spec?.image) ?? FIRST_VERSION,
    ...(icon ? { icons: [{ src: icon }] } : {}),
    remotes: [{ type: 'streamable-http', url }],
    ...(Object.keys(extension).length > 0
      ? { _meta: { [PUBLISHER_META]: { [VENDOR]: { [url]: extension } } } }
      : {}),
  };
}

/** The times the cluster knows, so that a restart moves none and replicas agree. */
function readTimes({ metadata }: CustomResource): Pick<CatalogEntry, 'publishedAt' | 'updatedAt'> {
  const created = Date.parse(metadata.creationTimestamp ?? '');
  if (Number.isNaN(created)) return {};
  const changes = (metadata.managedFields ?? []).map(({ time }) => Date.parse(time ?? ''));
  return { publishedAt: created, updatedAt: Math.max(created, ...changes.filter((at) => at > 0)) };
}
