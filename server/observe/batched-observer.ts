const BATCH = 512;

export interface Observer {
  observe(seconds: number): void;
}

/**
 * An observer that hands observations over many at a time: one by one, between requests, each costs several times as
 * much, because the processor has forgotten the histogram meanwhile.
 */
export class BatchedObserver implements Observer {
  readonly #target: Observer;
  readonly #waiting = new Float64Array(BATCH);
  #count = 0;

  constructor(target: Observer) {
    this.#target = target;
  }

  observe(seconds: number): void {
    this.#waiting[this.#count] = seconds;
    this.#count += 1;
    if (this.#count === BATCH) this.flush();
  }

  /** To be called before the histogram is read. */
  flush(): void {
    for (let index = 0; index < this.#count; index++) this.#target.observe(this.#waiting[index] ?? 0);
    this.#count = 0;
  }
}
