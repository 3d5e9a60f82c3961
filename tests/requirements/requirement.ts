/** What is built later than the registry core; a requirement carries it until its first proof. */
export const PART_NAMES = ['dynamic', 'run', 'run-governed', 'site'] as const;

export type PartName = (typeof PART_NAMES)[number];

/** One statement of a specification or contract that a test can prove or refute. */
export interface Requirement {
  /** Line of the source document, counted from 1. */
  readonly line: number;
  /** The statement in one sentence. */
  readonly behaviour: string;
  /** Absent for what the registry core does. */
  readonly part?: PartName;
}
