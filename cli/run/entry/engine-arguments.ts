import { readVolume } from '../flags/read-volumes.ts';
import type { PlanInput } from '../plan.ts';
import type { FilledArgument } from './fill-arguments.ts';

/** What `docker run` is told besides and every workload has anyway. */
const OF_COURSE = new Set(['run', '-i', '--interactive', '--rm', '-t', '--tty', '-it', '--init']);

export interface EngineSettings {
  readonly env: Readonly<Record<string, string>>;
  readonly volumes: NonNullable<PlanInput['volumes']>;
  readonly warnings: readonly string[];
}

/**
 * What an entry would have `docker run` do: `-e NAME=VALUE` becomes a variable, and `-v` a mount when the user gave the
 * path himself. Anything else is for the user to give by flags.
 * @param isOfUser whether a text was made of what the user gave
 */
export function readEngineArguments(
  filled: readonly FilledArgument[],
  isOfUser: (text: string) => boolean,
  cwd: string,
): EngineSettings {
  const env: Record<string, string> = {};
  const volumes: EngineSettings['volumes'] = [];
  const ignored: string[] = [];
  for (const { name = '', value } of filled) {
    const at = value?.indexOf('=') ?? -1;
    if (/^(?:-e|--env)$/.test(name) && value !== undefined && at > 0) {
      env[value.slice(0, at)] = value.slice(at + 1);
    } else if (/^(?:-v|--volume)$/.test(name) && value !== undefined && isOfUser(value.split(':')[0] ?? '')) {
      volumes.push(readVolume(value, cwd));
    } else if (!OF_COURSE.has(name === '' ? (value ?? '') : name)) {
      ignored.push([name, value].filter(Boolean).join(' '));
    }
  }
  const line = `Left out of what the entry asks of the container engine: ${ignored.join(', ')}; give it by flags if you want it.`;
  return { env, volumes, warnings: ignored.length === 0 ? [] : [line] };
}
