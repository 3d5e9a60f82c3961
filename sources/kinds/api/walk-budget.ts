import { maxTotalBytes } from '../source-bounds.ts';
import { refuseAmount } from './refuse-answer.ts';

const maxPages = 10_000;
const maxItems = 500_000;

/** What one fetch of a registry may still take. */
export class WalkBudget {
  #pages = 0;
  #items = 0;
  #bytes = 0;

  /** @throws BerthError `source_too_large` */
  takePage(bytes: number, url: string): void {
    this.#bytes += bytes;
    this.#pages += 1;
    if (this.#bytes > maxTotalBytes) throw refuseAmount(`${maxTotalBytes / 1_000_000} MB`, url);
    if (this.#pages > maxPages) throw refuseAmount(`${maxPages} pages`, url);
  }

  /** @throws BerthError `source_too_large` */
  takeItems(count: number, url: string): void {
    this.#items += count;
    if (this.#items > maxItems) throw refuseAmount(`${maxItems} entries`, url);
  }
}
