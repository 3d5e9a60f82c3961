import type { IndexedEntry } from '../../../../server/site/export/search-index.ts';
import { nameValue } from '../../components/catalog/name-values.ts';
import { writeDateTime, writeDay } from '../../components/catalog/write-date.ts';

const MAX_TAGS = 4;

/** A row of a list as `EntryRow.astro` makes it, from the index: as text, so that no entry can be more than that. */
export function makeEntryRow(entry: IndexedEntry, href: string): HTMLLIElement {
  const link = make('a', '', entry.title);
  link.href = href;
  const heading = make('h3', '');
  heading.append(link);
  const title = make('div', 'entry-title');
  title.append(heading, make('p', 'entry-name', `${entry.name} · ${entry.version}`));
  if (entry.status !== 'active')
    title.append(make('span', `badge ${entry.status === 'deleted' ? 'bad' : 'warn'}`, entry.status));
  const meta = make('p', 'entry-meta');
  for (const kind of new Set([...entry.packages, ...entry.transports]))
    meta.append(make('span', 'badge accent', nameValue(kind)), ' ');
  for (const tag of entry.tags.slice(0, MAX_TAGS)) meta.append(make('span', 'badge', tag), ' ');
  if (entry.tags.length > MAX_TAGS) meta.append(make('span', 'soft', `+${entry.tags.length - MAX_TAGS}`));
  if (entry.updatedAt > 0) {
    const time = make('time', '', writeDay(entry.updatedAt));
    time.dateTime = writeDateTime(entry.updatedAt);
    const when = make('span', 'entry-when', 'Updated ');
    when.append(time);
    meta.append(' ', when);
  }
  const row = make('li', 'entry-row');
  row.append(title, make('p', 'entry-text', entry.description), meta);
  return row;
}

/** An element with a class and a text. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  text = '',
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  element.textContent = text;
  return element;
}
