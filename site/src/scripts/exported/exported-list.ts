// Search and filters of a list without a server behind it: answered from the index of the registry, which is loaded when
// it is first needed. Without scripts the pages of the list are all there.
import type { IndexedEntry } from '../../../../server/site/export/search-index.ts';
import { countOf } from '../../components/catalog/count-of.ts';
import { readFilters, VALUE_FILTERS } from '../../components/catalog/list-filters.ts';
import { nameFilter, nameValue } from '../../components/catalog/name-values.ts';
import { make, makeEntryRow } from './make-entry-row.ts';
import { type ListFilters, searchEntries } from './search-entries.ts';

const STEP = 24;
const NAMES = ['q', ...VALUE_FILTERS] as const;

function startList(form: HTMLFormElement, field: HTMLInputElement, section: Element): void {
  const indexUrl = new URL(form.dataset.indexUrl ?? '', location.href);
  const type = form.dataset.type === 'skill' ? 'skill' : 'server';
  const status = form.querySelector('[role=status]');
  const listed = [...section.childNodes];
  const titles = section.querySelectorAll('h2');
  const facets = readFacets();
  let filters: ListFilters = { ...readFilters(new URLSearchParams(location.search)), type };
  let index: Promise<readonly IndexedEntry[]> | undefined;

  const linkTo = (wanted: ListFilters): string => {
    const url = new URL(form.action);
    url.search = writeQuery(wanted);
    return url.href;
  };
  const show = async (): Promise<void> => {
    for (const facet of facets) showFacet(facet, filters, linkTo);
    for (const tab of document.querySelectorAll<HTMLAnchorElement>('#found .tabs a')) {
      const url = new URL(tab.href);
      url.search = writeQuery({ q: filters.q });
      tab.href = url.href;
    }
    if (writeQuery(filters) === '') return section.replaceChildren(...listed);
    const shown = filters;
    try {
      index ??= loadIndex(indexUrl);
      const found = searchEntries(await index, shown);
      if (filters !== shown) return;
      const total = make('p', 'total', `${countOf(found.length, type)} found`);
      section.replaceChildren(...titles, listChips(shown, linkTo), total, ...listRows(found, indexUrl));
      if (status) status.textContent = total.textContent;
    } catch {
      index = undefined;
      if (status) status.textContent = 'The search index could not be loaded.';
    }
  };
  const search = (): void => {
    filters = { ...filters, q: field.value.trim() };
    const query = writeQuery(filters);
    history.replaceState(null, '', query === '' ? location.pathname : `?${query}`);
    void show();
  };

  field.value = filters.q;
  form.hidden = false;
  for (const hidden of document.querySelectorAll<HTMLElement>('#filters[hidden]')) hidden.hidden = false;
  form.addEventListener('input', search);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    search();
  });
  void show();
}

async function loadIndex(url: URL): Promise<readonly IndexedEntry[]> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the index answers ${answer.status}`);
  const index: { readonly entries: readonly IndexedEntry[] } = await answer.json();
  return index.entries;
}

function writeQuery(filters: Partial<ListFilters>): string {
  const query = new URLSearchParams();
  for (const name of NAMES) if (filters[name]) query.set(name, filters[name]);
  return query.toString();
}

interface FacetLink {
  readonly link: HTMLAnchorElement;
  readonly name: (typeof VALUE_FILTERS)[number];
  readonly value: string;
}

/** The links of the filters, each of which sets the one value it stands for. */
function readFacets(): readonly FacetLink[] {
  return [...document.querySelectorAll<HTMLAnchorElement>('#filters a[href]')].flatMap((link) => {
    const query = new URL(link.href).searchParams;
    return VALUE_FILTERS.flatMap((name) => {
      const value = query.get(name);
      return value === null ? [] : [{ link, name, value }];
    });
  });
}

function showFacet(
  { link, name, value }: FacetLink,
  filters: ListFilters,
  linkTo: (to: ListFilters) => string,
): void {
  const isChosen = filters[name] === value;
  link.href = linkTo({ ...filters, [name]: isChosen ? undefined : value });
  if (isChosen) link.setAttribute('aria-current', 'true');
  else link.removeAttribute('aria-current');
}

function listChips(filters: ListFilters, linkTo: (to: ListFilters) => string): HTMLElement {
  const list = make('ul', 'active-filters');
  list.setAttribute('role', 'list');
  list.setAttribute('aria-label', 'Filters that are set');
  for (const name of NAMES) {
    const value = filters[name];
    if (!value) continue;
    const chip = make('a', 'chip');
    chip.href = linkTo({ ...filters, [name]: name === 'q' ? '' : undefined });
    const cross = make('span', 'cross', '×');
    cross.setAttribute('aria-hidden', 'true');
    const shown = make('strong', '', name === 'q' || name === 'tag' ? value : nameValue(value));
    chip.append(make('span', 'hidden-text', 'Remove '), `${nameFilter(name)}: `, shown, cross);
    const item = make('li', '');
    item.append(chip);
    list.append(item);
  }
  return list;
}

/** The rows, and a button for those that do not fit on a page. */
function listRows(found: readonly IndexedEntry[], indexUrl: URL): readonly HTMLElement[] {
  const list = make('ul', 'entries');
  list.setAttribute('role', 'list');
  const more = make('button', 'button', 'Show more');
  more.type = 'button';
  const add = (): void => {
    const start = list.childElementCount;
    for (const entry of found.slice(start, start + STEP))
      list.append(makeEntryRow(entry, new URL(entry.href, indexUrl).href));
    more.hidden = list.childElementCount >= found.length;
  };
  more.addEventListener('click', add);
  add();
  const pages = make('div', 'pages');
  pages.append(more);
  return [list, pages];
}

const form = document.querySelector<HTMLFormElement>('form[data-index-url]');
const field = form?.querySelector<HTMLInputElement>('input[type=search]');
const section = document.querySelector('#found section');
if (form && field && section) startList(form, field, section);
