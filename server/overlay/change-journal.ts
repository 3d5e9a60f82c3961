import type { NameChange } from '../../sources/model/entry-table.ts';
import { nextGeneration } from '../view/bundle-segment.ts';

const KEPT = 1024;

interface Noted {
  /** Greater than the generation of every segment made before the change, smaller than that of every one made after. */
  readonly stamp: number;
  readonly change: NameChange;
}

/** Which names of a managed source changed of late, so that whoever remembers something of it knows what still holds. */
export class ChangeJournal {
  readonly #noted: Noted[] = [];
  /** Nothing is missing for segments of this generation and later ones. */
  #completeFrom = nextGeneration();

  note(change: NameChange): void {
    this.#noted.push({ stamp: nextGeneration(), change });
    if (this.#noted.length > KEPT) this.#completeFrom = this.#noted.shift()?.stamp ?? nextGeneration();
  }

  /** What changed after the segment of that generation was made; undefined when it is no longer known. */
  since(generation: number): readonly NameChange[] | undefined {
    if (generation < this.#completeFrom) return undefined;
    let first = this.#noted.length;
    while ((this.#noted[first - 1]?.stamp ?? 0) > generation) first--;
    return this.#noted.slice(first).map(({ change }) => change);
  }
}
