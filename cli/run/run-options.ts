import { Option } from 'clipanion';
import { TokenExchangeOptions } from './options/token-exchange-options.ts';
import { prepareRunWords } from './prepare-run-words.ts';

/**
 * Every flag of `berth run` (specification 4.1, 4.2, 5.1 to 5.3, and our additions). The properties carry the names of
 * their flags in camel case; all are undefined unless given.
 */
export abstract class RunOptions extends TokenExchangeOptions {
  /** Runs before the parser: it knows neither `-eA=1` nor where `--` was. */
  static prepareWords = prepareRunWords;

  /** The server, and words too many: an optional argument beside a rest of them does not come out right. */
  positionals = Option.Rest({ name: 'SERVER_OR_IMAGE_OR_PROTOCOL' });
  /** What stood after `--`, put here by `prepareRunWords`. */
  serverArgument = Option.Array('--server-argument', { hidden: true });

  /** What to run, unless `--from-config` says it. */
  get server(): string | undefined {
    return this.positionals[0];
  }
}

/** The flags of `run` as they were given; absent ones are undefined. */
export type RunOptionValues = Readonly<Partial<Omit<RunOptions, keyof import('clipanion').Command>>>;
