import { groupBy } from '../group-by.ts';
import type { Program } from '../source-code/load-program.ts';
import { type Failure, findFailures } from './find-failures.ts';

/** What people read where a code is met. */
export type Area = 'http' | 'sources' | 'service' | 'commands' | 'run';

/** A stable code with everything the code says about it. */
export interface ErrorCode {
  readonly code: string;
  readonly area: Area;
  /** HTTP statuses it is answered with, ascending. */
  readonly statuses: readonly number[];
  /** Exit codes of the command it ends, ascending; none for what only HTTP answers. */
  readonly exitCodes: readonly number[];
  /** What the code says of it where all its words come from elsewhere. */
  readonly about: readonly string[];
  /** What is said, and what to do about it; `{name}` stands for what only a run knows. */
  readonly says: readonly { readonly message: string; readonly fix: string }[];
  /** Where it is made, from the root of the repository. */
  readonly files: readonly string[];
}

/** Exit codes as `cli/run-command.ts` and `cli/workloads/interruption.ts` give them. */
const EXIT_CODES: Readonly<Record<string, readonly number[]>> = {
  HttpError: [],
  UsageError: [2],
  Interruption: [129, 130, 143],
};
/** The parts of `cli` that are about the registry and its catalogs, or about all commands. */
const COMMANDS = /^cli\/([a-z-]+\.ts$|(client|diff|doctor|explain|overlay|validate)\/)/;

/** Every code of the rooms in alphabetical order. */
export function listErrorCodes(program: Program): ErrorCode[] {
  return groupBy(findFailures(program), ({ code }) => code).map(([code, failures]) => ({
    code,
    area: findArea(failures),
    statuses: ascending(failures.flatMap(({ status }) => status ?? [])),
    exitCodes: ascending(failures.flatMap(({ className }) => EXIT_CODES[className] ?? [1])),
    about: failures.some(({ message }) => message !== '') ? [] : listAbout(failures),
    says: distinctTexts(failures),
    files: [...new Set(failures.map(({ file }) => file))].sort(),
  }));
}

function findArea(failures: readonly Failure[]): Area {
  if (failures.some(({ status }) => status !== undefined)) return 'http';
  const files = failures.map(({ file }) => file);
  if (files.some((file) => file.startsWith('sources/'))) return 'sources';
  if (files.some((file) => file.startsWith('server/'))) return 'service';
  return files.some((file) => COMMANDS.test(file)) ? 'commands' : 'run';
}

function listAbout(failures: readonly Failure[]): string[] {
  return [...new Set(failures.flatMap(({ about }) => (about === '' ? [] : [about])))];
}

function distinctTexts(failures: readonly Failure[]): ErrorCode['says'] {
  const texts = failures.flatMap(({ message, fix }) => (message === '' ? [] : [{ message, fix }]));
  return [...new Map(texts.map((text) => [JSON.stringify(text), text])).values()];
}

function ascending(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}
