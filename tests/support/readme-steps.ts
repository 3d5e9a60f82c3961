import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const FUNCTIONS = ['token() {', 'ask() {', 'tell() {', 'names() {', 'earlier() {'];

/** A command of the README and what it shows below it. */
export interface ReadmeStep {
  readonly command: string;
  readonly output: string;
}

/** The line of the README that starts so: a command that starts something, or a function it defines. */
export function findReadmeLine(start: string): string {
  const line = README.split('\n').find((candidate) => candidate.startsWith(start));
  if (line === undefined) throw new Error(`the README has no line that starts with ${start}`);
  return line;
}

/** The `$ command` lines between `<!-- WALK:begin -->` and `<!-- WALK:end -->`, in their order. */
export function listReadmeSteps(walk: string): readonly ReadmeStep[] {
  const [, text = ''] = README.split(`<!-- ${walk}:begin -->`);
  const blocks = Array.from(
    text.slice(0, text.indexOf(`<!-- ${walk}:end -->`)).matchAll(/```\n([\s\S]*?)```/g),
    ([, block]) => block ?? '',
  );
  const steps = blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...output] = step.trimEnd().split('\n');
        return { command, output: output.join('\n') };
      }),
  );
  if (steps.length === 0) throw new Error(`the README has no walk ${walk}`);
  return steps;
}

/**
 * Runs a command of the README in bash, where its functions are defined.
 * @param env instead of our own environment
 * @param showsErrors whether standard error counts too, as in a terminal
 */
export function runReadmeCommand(
  command: string,
  { env, showsErrors = false, timeout = 20_000 }: RunReadmeOptions = {},
): string {
  const functions = FUNCTIONS.map((start) => `${findReadmeLine(start)}\n`).join('');
  const script = `${showsErrors ? 'exec 2>&1\n' : ''}${functions}${command}`;
  return spawnSync('bash', ['-c', script], {
    encoding: 'utf8',
    timeout,
    ...(env ? { env } : {}),
  }).stdout.trimEnd();
}

interface RunReadmeOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly showsErrors?: boolean;
  readonly timeout?: number;
}
