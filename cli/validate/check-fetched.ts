import { type ReadOptions, readCatalog } from '../../sources/catalog/read-catalog.ts';
import { BerthError } from '../../sources/errors.ts';
import type { Fetched } from '../../sources/kinds/fetched.ts';
import type { Findings, FoundProblem } from './found-problem.ts';

export interface CheckPlace {
  /** The file to show for one the catalog names. */
  readonly fileOf: (shown: string) => string;
  /** What to add to lines: the catalog may stand inside another file. */
  readonly source?: string;
  /** Where to report what concerns the source as a whole. */
  readonly whole: Pick<FoundProblem, 'file' | 'line' | 'column'>;
}

const REPAIR = 'Repair the entry, or remove it; the other entries are served without it.';

/** Reads fetched content as a catalog and lists what is rejected; one that cannot be read at all is one problem. */
export async function checkFetched(
  fetch: () => Promise<Fetched | 'unchanged'>,
  options: ReadOptions,
  place: CheckPlace,
): Promise<Findings> {
  const ofSource = place.source === undefined ? {} : { source: place.source };
  try {
    const fetched = await fetch();
    if (fetched === 'unchanged') return { problems: [], notes: [], valid: 0 };
    const { entries, rejected } = readCatalog(fetched, options);
    const problems = rejected.map(({ file, line, reason }) => ({
      file: place.fileOf(file),
      line,
      column: 1,
      message: reason,
      fix: REPAIR,
      ...ofSource,
    }));
    const label = place.source === undefined ? place.whole.file : `source ${place.source}`;
    const notes = entries.length + rejected.length === 0 ? [`${label} has no entries`] : [];
    return { problems, notes, valid: entries.length };
  } catch (error) {
    if (!(error instanceof BerthError)) throw error;
    return { problems: [{ ...describeFailure(error, place), ...ofSource }], notes: [], valid: 0 };
  }
}

function describeFailure(error: BerthError, { fileOf, whole }: CheckPlace): FoundProblem {
  const { file, line, column } = error.at ?? {};
  const inFile = file !== undefined && line !== undefined;
  const named = file === undefined || inFile || file === whole.file ? '' : `${file}: `;
  return {
    ...(inFile ? { file: fileOf(file), line, column: column ?? 1 } : whole),
    message: `${named}${error.message}`,
    ...(error.fix === undefined ? {} : { fix: error.fix }),
  };
}
