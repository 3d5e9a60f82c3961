import { BerthError } from '../../../sources/errors.ts';
import type { EntryType } from '../../../sources/model/entry.ts';
import type { World } from '../../view/world.ts';
import type { BuiltSite } from '../built-site.ts';
import { createCatalogReader } from '../catalog/create-catalog-reader.ts';
import type { CatalogReader, EntryCard, RegistryCard } from '../catalog-reader.ts';
import { writePagePolicy } from '../page-policy.ts';
import { writeSitePolicy } from '../site-policy.ts';
import { admitAudience } from './admit-audience.ts';
import type { Audience } from './audience.ts';
import type { ExportFolder } from './export-folder.ts';
import { ExportedPlaces } from './exported-places.ts';
import { finishPage } from './finish-page.ts';
import { ListPages, listPagePath } from './list-pages.ts';
import { relativeLink } from './relative-link.ts';
import { type PageRenderer, renderExportedPage } from './render-exported-page.ts';
import { rewriteCss } from './rewrite-css.ts';
import { listCards, searchIndexPath, writeSearchIndex } from './search-index.ts';
import { withoutUnknownDates } from './undated-catalog.ts';

export interface SiteExportOptions {
  readonly world: World;
  readonly audience: Audience;
  readonly site: BuiltSite;
  readonly title: string;
  /** Where clients reach the service, without a slash at the end. */
  readonly serviceUrl: string;
  /** Where the export will be, beginning and ending in `/`; only the page for unknown paths needs to know. */
  readonly basePath: string;
  readonly folder: ExportFolder;
  /** Ends the export with its reason. */
  readonly signal?: AbortSignal;
  /** Told how many entries there are, before the first is written. */
  readonly onStart?: (entries: number) => void;
  /** Told as each entry is written. */
  readonly onEntry?: () => void;
}

/** What was exported. */
export interface SiteExport {
  readonly registries: number;
  readonly entries: number;
  readonly pages: number;
}

/** A path no page has, for the one that says so. */
const UNKNOWN_PAGE = '/export/unknown';
const TYPES: readonly EntryType[] = ['server', 'skill'];

/**
 * Writes the guides and the catalog as the audience sees it as files that any web server can serve below any path. The
 * same input gives the same bytes.
 * @throws BerthError `export_page_failed`, those of the folder, and the reason of `signal`
 */
export async function exportSite(options: SiteExportOptions): Promise<SiteExport> {
  const exporter = new SiteExporter(options);
  return exporter.run();
}

class SiteExporter {
  readonly #options: SiteExportOptions;
  readonly #renderer: PageRenderer;
  readonly #catalog: CatalogReader;
  readonly #registries: readonly RegistryCard[];
  readonly #lists = new ListPages();
  readonly #places: ExportedPlaces;
  #pages = 0;

  constructor(options: SiteExportOptions) {
    const { site, title, serviceUrl, audience } = options;
    const world = admitAudience(options.world, audience);
    const { identity } = audience;
    const catalog = withoutUnknownDates(
      createCatalogReader({ world: () => world, identity, baseUrl: serviceUrl }),
    );
    const sights = [...world.registries.values()].map((registry) => registry.sightOf(identity));
    const now = Math.max(0, ...sights.map(({ lastModified }) => lastModified));
    const registries = catalog.listRegistries();
    this.#options = options;
    this.#catalog = catalog;
    const isOpen = identity.anonymous && identity.unrestricted;
    this.#renderer = { site, title, serviceUrl, catalog, isOpen, now };
    this.#registries = 'refused' in registries ? [] : registries;
    this.#places = new ExportedPlaces({
      files: new Set(site.paths),
      registries: new Set(this.#registries.map(({ name }) => name)),
      lists: this.#lists,
      serviceUrl,
    });
  }

  async run(): Promise<SiteExport> {
    const entries = this.#registries.reduce((count, { servers, skills }) => count + servers + skills, 0);
    this.#options.onStart?.(entries);
    for (const path of [...this.#options.site.paths].sort()) await this.#copyFile(path);
    await this.#writePage('/', '/');
    await this.#writeUnknownPage();
    for (const { name } of this.#registries) await this.#writeRegistry(name);
    await this.#options.folder.write('/.nojekyll', '');
    return { registries: this.#registries.length, entries, pages: this.#pages };
  }

  async #writeRegistry(registry: string): Promise<void> {
    const cards: EntryCard[] = [];
    for (const type of TYPES) {
      this.#lists.start(registry, type);
      for (const card of listCards(this.#catalog, registry, type)) cards.push(card);
    }
    for (let page = this.#lists.take(); page; page = this.#lists.take()) {
      const query = new URLSearchParams({ type: page.type, ...(page.cursor ? { cursor: page.cursor } : {}) });
      const html = await renderExportedPage(this.#renderer, `/catalog/${registry}?${query}`);
      const path = listPagePath(page);
      const from = page;
      await this.#write(path, html, (link) => this.#places.locate(link, from));
    }
    const index = writeSearchIndex(registry, cards, (href) => this.#places.locate(href));
    await this.#options.folder.write(searchIndexPath(registry), index);
    for (const card of cards) {
      await this.#writeEntry(registry, card);
      this.#options.onEntry?.();
    }
  }

  async #writeEntry(registry: string, { type, name, href }: EntryCard): Promise<void> {
    const detail = this.#catalog.readEntry(registry, type, name, undefined);
    if (detail.refused)
      throw new BerthError(
        'export_page_failed',
        `The entry ${type}/${name} cannot be read: ${detail.detail}`,
      );
    const hrefs = new Set([href, ...detail.versions.map((version) => version.href)]);
    for (const page of hrefs) await this.#writePage(page, this.#places.locate(page));
  }

  async #writePage(page: string, path: string): Promise<void> {
    await this.#write(path, await renderExportedPage(this.#renderer, page), (link) =>
      this.#places.locate(link),
    );
  }

  async #write(
    path: string,
    html: string,
    locate: (link: string) => string,
    writePolicy: (html: string) => string = () => writeSitePolicy(),
  ): Promise<void> {
    this.#options.signal?.throwIfAborted();
    const page = finishPage(html, (link) => relativeTo(path, locate(link)), writePolicy);
    await this.#options.folder.write(path, page);
    this.#pages++;
  }

  /** Static hosts give it for any path, so its links cannot be relative. */
  async #writeUnknownPage(): Promise<void> {
    const { basePath, folder } = this.#options;
    const html = await renderExportedPage(this.#renderer, UNKNOWN_PAGE, 404);
    const rewrite = (link: string) => {
      const place = this.#places.locate(link);
      return place.startsWith('/') ? basePath + place.slice(1) : place;
    };
    await folder.write(
      '/404.html',
      finishPage(html, rewrite, () => writeSitePolicy()),
    );
  }

  async #copyFile(path: string): Promise<void> {
    const { site, folder } = this.#options;
    const file = await site.readFile(path);
    if (!file) return;
    if (path.endsWith('/') || path.endsWith('.html')) {
      const locate = (link: string) => this.#places.locate(link);
      await this.#write(path, file.body.toString('utf8'), locate, writePagePolicy);
    } else if (path.endsWith('.css')) {
      const locate = (link: string) => relativeTo(folderOf(path), this.#places.locate(link));
      await folder.write(path, rewriteCss(file.body.toString('utf8'), locate));
    } else await folder.write(path, file.body);
  }
}

function relativeTo(path: string, place: string): string {
  return place.startsWith('/') ? relativeLink(folderOf(path), place) : place;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
