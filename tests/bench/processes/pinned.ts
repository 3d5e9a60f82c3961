import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Server and generator have a core each; `free` goes where the system puts it. */
export type Place = 'server' | 'generator' | 'free';

export const CAN_PIN = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0;

/** The command line with which a command runs on its core; unchanged where cores cannot be chosen. */
export function pinned(
  place: Place,
  command: readonly [string, ...string[]],
): readonly [string, ...string[]] {
  return !CAN_PIN || place === 'free'
    ? command
    : ['taskset', '-c', place === 'server' ? '0' : '1', ...command];
}
