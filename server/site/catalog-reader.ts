import type { EntryStatus, EntryType } from '../../sources/model/entry.ts';
import type { ServerJson } from '../../sources/model/server-json.ts';
import type { Refusal } from './site-locals.ts';

export interface RegistryCard {
  readonly name: string;
  readonly description: string | undefined;
  /** What a client is given. */
  readonly url: string;
  /** Latest versions this viewer sees. */
  readonly servers: number;
  readonly skills: number;
}

/** How a filter of the list is written in the address; all that are given must hold. */
export interface EntryFilters {
  readonly type: EntryType;
  /** Full text; empty for none. */
  readonly q: string;
  readonly tag: string | undefined;
  /** `stdio`, `streamable-http` or `sse`: of any package or remote. */
  readonly transport: string | undefined;
  /** `npm`, `pypi`, `oci`, `nuget`, `mcpb`, `cargo`, or `remote`. */
  readonly package: string | undefined;
  readonly cursor: string | undefined;
}

/** The latest version of an entry, as a list shows it. */
export interface EntryCard {
  readonly type: EntryType;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly status: EntryStatus;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  readonly tags: readonly string[];
  readonly transports: readonly string[];
  readonly packages: readonly string[];
  /** The page of the entry, root-relative. */
  readonly href: string;
}

/** A value of a filter and how many of the entries seen have it. */
export interface Facet {
  readonly value: string;
  readonly count: number;
}

export interface EntryPage {
  readonly refused?: undefined;
  readonly registry: RegistryCard;
  readonly entries: readonly EntryCard[];
  /** How many match, as far as it is known without walking them all. */
  readonly total: number | undefined;
  readonly next: string | undefined;
  /** Of all entries of the type the viewer sees in the registry, most frequent first. */
  readonly facets: {
    readonly tags: readonly Facet[];
    readonly transports: readonly Facet[];
    readonly packages: readonly Facet[];
  };
}

export interface VersionLine {
  readonly version: string;
  readonly status: EntryStatus;
  readonly isLatest: boolean;
  readonly publishedAt: number;
  readonly updatedAt: number;
  readonly href: string;
}

/** A tool as far as the entry tells of it. */
export interface ToolLine {
  readonly name: string;
  readonly description: string | undefined;
  /** Read-only, destructive and the like, where declared. */
  readonly hints: readonly string[];
}

/** What the entry is allowed under `berth run`, by its permission profile; undefined where it declares none. */
export interface PermissionLines {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly hosts: readonly string[];
  readonly ports: readonly number[];
  readonly allowsAllHosts: boolean;
  /** It asks for a privileged container, which only its user may give. */
  readonly asksPrivileged: boolean;
}

export interface ProvenanceLines {
  readonly sigstoreUrl: string | undefined;
  readonly repositoryUri: string | undefined;
  readonly signerIdentity: string | undefined;
  readonly runnerEnvironment: string | undefined;
  readonly certIssuer: string | undefined;
}

/** Where an entry came from: the bundle that is served and what it was made of. */
export interface OriginLines {
  readonly source: string;
  readonly bundle: string | undefined;
  readonly commit: string | undefined;
  /** A page showing the commit, where the repository's host is known to have one; https only. */
  readonly commitUrl: string | undefined;
  /** Every other member of `dev.berth/origin`, name and value, in order. */
  readonly rest: readonly (readonly [string, string])[];
}

/** A snippet to copy. */
export interface Snippet {
  /** `berth run`, `VS Code`, `Claude Code`, `npx skills`. */
  readonly label: string;
  readonly language: 'sh' | 'json';
  readonly text: string;
}

export interface SkillBody {
  readonly license: string | undefined;
  readonly compatibility: string | undefined;
  readonly allowedTools: readonly string[];
  /** Where its packages are: repository or image, as the skill object says. */
  readonly packages: readonly { readonly type: string; readonly text: string }[];
  /** Download of its files from agent-skills discovery, when this registry has them. */
  readonly download: string | undefined;
}

export interface EntryDetail {
  readonly refused?: undefined;
  readonly registry: RegistryCard;
  readonly card: EntryCard;
  /** The address of this very version, and of the latest. */
  readonly isLatest: boolean;
  readonly statusMessage: string | undefined;
  readonly publishedAt: number;
  /** For servers. */
  readonly server: ServerJson | undefined;
  /** For skills. */
  readonly skill: SkillBody | undefined;
  /** An https link to home page or repository. */
  readonly links: readonly { readonly label: string; readonly href: string }[];
  readonly tools: readonly ToolLine[];
  readonly permissions: PermissionLines | undefined;
  readonly provenance: ProvenanceLines | undefined;
  readonly origin: OriginLines;
  /** Newest first, deleted ones left out. */
  readonly versions: readonly VersionLine[];
  readonly snippets: readonly Snippet[];
  /** The object as the API gives it, as indented JSON text. */
  readonly json: string;
}

/** Reads the catalog for one viewer, from the same view and claims as the consumer API: it shows what that would give. */
export interface CatalogReader {
  /** The registries this viewer may enter, in order of the configuration; a refusal (401) for who must sign in first. */
  listRegistries(): readonly RegistryCard[] | Refusal;
  /** @param limit entries of a page, 24 when undefined */
  listEntries(registry: string, filters: EntryFilters, limit?: number): EntryPage | Refusal;
  /** @param version undefined for the latest */
  readEntry(
    registry: string,
    type: EntryType,
    name: string,
    version: string | undefined,
  ): EntryDetail | Refusal;
}
