/** Which names have a version with a tag. */
export class OverlayTags {
  readonly #nameIndexOf: (row: number) => number;
  readonly #rows = new Map<string, Set<number>>();
  /** Answers that were asked for, until the places of names or the tagged rows change. */
  readonly #answers = new Map<string, readonly number[]>();

  constructor(nameIndexOf: (row: number) => number) {
    this.#nameIndexOf = nameIndexOf;
  }

  addRow(row: number, tags: Iterable<string>): void {
    for (const tag of tags) {
      const known = this.#rows.get(tag);
      if (known) known.add(row);
      else this.#rows.set(tag, new Set([row]));
      this.#answers.delete(tag);
    }
  }

  removeRow(row: number, tags: Iterable<string>): void {
    for (const tag of tags) {
      const known = this.#rows.get(tag);
      known?.delete(row);
      if (known?.size === 0) this.#rows.delete(tag);
      this.#answers.delete(tag);
    }
  }

  /** Names came or went: their places have moved. */
  forgetNames(): void {
    this.#answers.clear();
  }

  /** Places of the names, rising; undefined when no version has the tag. */
  namesTagged(tag: string): ArrayLike<number> | undefined {
    const rows = this.#rows.get(tag);
    if (!rows) return undefined;
    const known = this.#answers.get(tag);
    if (known) return known;
    const answer = [...new Set(Array.from(rows, this.#nameIndexOf))].sort((a, b) => a - b);
    this.#answers.set(tag, answer);
    return answer;
  }
}
