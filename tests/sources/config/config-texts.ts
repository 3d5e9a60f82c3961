import { describeProblem } from '../../../sources/config/describe-problem.ts';
import type { Environment } from '../../../sources/config/expand-variables.ts';
import { type CheckOptions, checkConfigText } from '../../../sources/config/load-config.ts';

/** The parts of a configuration that is valid; each may be replaced. */
export const SOURCES =
  'sources:\n  - name: acme\n    file: {path: c.json}\n    syncPolicy: {interval: 30m}\n';
export const REGISTRIES = 'registries:\n  - name: main\n    sources: [acme]\n';
export const AUTH = 'auth: {mode: anonymous}\n';
export const VALID = SOURCES + REGISTRIES + AUTH;

/** The problems of a text as lines, for a file shown as `f`. */
export function linesOf(text: string, env: Environment = {}, options: CheckOptions = {}): string[] {
  return checkConfigText(text, 'f', env, options).problems.map(describeProblem);
}
