import type { EntryType } from '../../../sources/model/entry.ts';
import { fileSegment } from './file-segment.ts';
import { type ListPage, type ListPages, listPagePath } from './list-pages.ts';
import { searchIndexPath } from './search-index.ts';

export interface ExportedPlacesOptions {
  /** Files of the built site, by their decoded paths. */
  readonly files: ReadonlySet<string>;
  /** Names of the registries that are exported. */
  readonly registries: ReadonlySet<string>;
  readonly lists: ListPages;
  /** Where the service answers, without a slash at the end: what an export does not hold is there. */
  readonly serviceUrl: string;
}

const ENTRY = /^\/catalog\/([^/]+)\/(server|skill)s\/([^/]+)\/([^/]+)(?:\/([^/]+))?\/?$/;
const INDEX = /^\/catalog\/([^/]+)\/search\.json$/;
const LIST = /^\/catalog\/([^/]+)\/?$/;
/** Cursors are numbers of pages here, and the type decides on the folder. */
const NOT_FILTERS = ['cursor', 'type'];

/** Where in an export a link of the live site leads. */
export class ExportedPlaces {
  readonly #options: ExportedPlacesOptions;

  constructor(options: ExportedPlacesOptions) {
    this.#options = options;
  }

  /**
   * @param link root-relative, as a page of the live site has it
   * @param from the list page it stands on: only there a cursor leads on
   * @returns the same place root-relative in the export, or an absolute URL of the service for what is not exported
   */
  locate(link: string, from?: ListPage): string {
    const { pathname, search, searchParams, hash } = new URL(link, 'http://export.invalid');
    const path = this.#findFile(pathname) ?? this.#findPage(pathname, searchParams, from);
    if (path === undefined) return `${this.#options.serviceUrl}${pathname}${search}${hash}`;
    if (!LIST.test(pathname)) return `${path}${search}${hash}`;
    const filters = new URLSearchParams([...searchParams].filter(([name]) => !NOT_FILTERS.includes(name)));
    return `${path}${filters.size > 0 ? `?${filters}` : ''}${hash}`;
  }

  #findFile(pathname: string): string | undefined {
    const { files } = this.#options;
    const path = decode(pathname);
    if (path === undefined) return undefined;
    if (files.has(path)) return pathname;
    return files.has(`${path}/`) ? `${pathname}/` : undefined;
  }

  #findPage(pathname: string, query: URLSearchParams, from: ListPage | undefined): string | undefined {
    if (pathname === '/') return '/';
    const { registries, lists } = this.#options;
    const list = LIST.exec(pathname)?.[1];
    if (list !== undefined && registries.has(list)) {
      const type = query.get('type') === 'skill' ? 'skill' : 'server';
      const cursor = from?.registry === list && from.type === type ? query.get('cursor') : null;
      return listPagePath(
        cursor === null ? { registry: list, type, number: 1 } : lists.follow(list, type, cursor),
      );
    }
    const index = INDEX.exec(pathname)?.[1];
    if (index !== undefined && registries.has(index)) return searchIndexPath(index);
    const [, registry = '', type, ...segments] = ENTRY.exec(pathname) ?? [];
    if (!registries.has(registry) || (type !== 'server' && type !== 'skill')) return undefined;
    const names = segments.filter((segment) => segment !== undefined).map(decode);
    return names.every((name) => name !== undefined) ? entryPath(registry, type, names) : undefined;
  }
}

/**
 * Where the page of an entry is, root-relative.
 * @param names namespace, name and, for a version of its own, that
 */
export function entryPath(registry: string, type: EntryType, names: readonly string[]): string {
  return `/catalog/${registry}/${type}s/${names.map(fileSegment).join('/')}/`;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
