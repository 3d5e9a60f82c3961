import type { EngineProgress } from '../engine.ts';
import type { EngineMessage } from './read-json-lines.ts';

interface Layer {
  done: number;
  total: number;
}

/** Adds up the layers of a pull: downloaded bytes of all layers whose size is known. */
export class PullProgress {
  readonly #reference: string;
  readonly #layers = new Map<string, Layer>();

  constructor(reference: string) {
    this.#reference = reference;
  }

  /** Takes in a message of the engine; undefined when it changes nothing worth showing. */
  add({ id, status, progressDetail }: EngineMessage): EngineProgress | undefined {
    if (id === undefined || status === undefined) return undefined;
    const layer = this.#layers.get(id);
    if (status === 'Downloading') {
      const total = progressDetail?.total ?? layer?.total ?? 0;
      this.#layers.set(id, { done: progressDetail?.current ?? 0, total });
    } else if (layer && (status === 'Download complete' || status === 'Pull complete')) {
      layer.done = layer.total;
    } else {
      return undefined;
    }
    const all = [...this.#layers.values()];
    return {
      text: `Pulling ${this.#reference}`,
      done: all.reduce((sum, one) => sum + one.done, 0),
      total: all.reduce((sum, one) => sum + one.total, 0),
    };
  }
}
