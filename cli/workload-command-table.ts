import type { CommandEntry } from './command-table.ts';

/** The commands of `berth run` and what it started, in the order of the help. */
export const WORKLOAD_COMMANDS: readonly CommandEntry[] = [];
