import type { EntryType } from '../../../sources/model/entry.ts';

/** A page of the list of a registry. */
export interface ListPage {
  readonly registry: string;
  readonly type: EntryType;
  /** From 1. */
  readonly number: number;
  /** The cursor that leads to it; undefined for the first. */
  readonly cursor: string | undefined;
}

/** Where a page of a list is, root-relative. No entry is there: their paths have one segment more or another one first. */
export function listPagePath({ registry, type, number }: Omit<ListPage, 'cursor'>): string {
  const kind = type === 'skill' ? 'skills/' : '';
  return `/catalog/${registry}/${number === 1 ? kind : `page/${kind}${number}/`}`;
}

/** The pages of lists, in the order in which links lead to them: a cursor becomes the number of a page. */
export class ListPages {
  readonly #byCursor = new Map<string, ListPage>();
  readonly #counts = new Map<string, number>();
  readonly #open: ListPage[] = [];

  /** The first page of a list. */
  start(registry: string, type: EntryType): void {
    this.#add(registry, type, undefined);
  }

  /** The page a cursor leads to; one that is new gets the next number of its list. */
  follow(registry: string, type: EntryType, cursor: string): ListPage {
    return this.#byCursor.get(JSON.stringify([registry, type, cursor])) ?? this.#add(registry, type, cursor);
  }

  /** A page that was not taken yet. */
  take(): ListPage | undefined {
    return this.#open.shift();
  }

  #add(registry: string, type: EntryType, cursor: string | undefined): ListPage {
    const list = JSON.stringify([registry, type]);
    const number = (this.#counts.get(list) ?? 0) + 1;
    this.#counts.set(list, number);
    const page = { registry, type, number, cursor };
    this.#byCursor.set(JSON.stringify([registry, type, cursor]), page);
    this.#open.push(page);
    return page;
  }
}
