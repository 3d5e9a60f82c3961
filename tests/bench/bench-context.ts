import type { CatalogDir } from './catalog/write-catalog.ts';
import type { Issuer } from './issuer.ts';
import type { GenerateLoad } from './load/load.ts';
import type { Place } from './processes/pinned.ts';
import type { ServingBerth } from './processes/start-berth.ts';

/** How much is measured: a full run, or a smoke run that only shows that everything works. */
export interface BenchScale {
  /** Targets are judged; false for a smoke run. */
  readonly judges: boolean;
  /** How often each side of a comparison is measured. */
  readonly runs: number;
  /** Length of one measurement. */
  readonly seconds: number;
  /** Servers of two versions each. */
  readonly small: number;
  readonly usual: number;
  readonly large: number;
  /** Versions of the catalog that is compiled. */
  readonly compiled: number;
  readonly newTokens: number;
  readonly searches: number;
  /** Calls of one measurement with 32 clients. */
  readonly proxyCalls: number;
  /** Clients that come and go. */
  readonly connects: number;
}

/** What rows measure with. */
export interface BenchContext {
  readonly scale: BenchScale;
  readonly issuer: Issuer;
  /** The script of the built command. */
  readonly berth: string;
  readonly load: GenerateLoad;
  /** Tokens of 40 callers who see different parts of the registry. */
  readonly tokens: readonly string[];
  /** A compiled catalog of so many servers; made once. */
  catalog(servers: number): Promise<CatalogDir>;
  /** `berth serve` with a configuration, ready: every source has a bundle. */
  serve(catalog: Pick<CatalogDir, 'configFile'>, place?: Place): Promise<ServingBerth>;
}

/** One line of the table. */
export interface Outcome {
  readonly what: string;
  readonly measured: string;
  /** Absent for a line that is told for information. */
  readonly target?: string;
  readonly isMet?: boolean;
}

export interface Row {
  /** For `--only`. */
  readonly name: string;
  measure(context: BenchContext): Promise<readonly Outcome[]>;
}
