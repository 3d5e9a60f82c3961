import { TestPostgres } from '../../server/overlay/postgres/start-postgres.ts';
import type { BenchContext, Outcome, Row } from '../bench-context.ts';
import { PUBLISHED_CLAIMS, writePublishingConfig } from '../catalog/publishing-config.ts';
import { REGISTRY } from '../catalog/write-catalog.ts';
import { median } from '../median.ts';
import { captureAnswer } from '../processes/bare-answer.ts';

const TIMES = 50;
/** Not counted: they open the connections. */
const WARM = 5;
const MOST_LOCALLY_MS = 50;
const MOST_ELSEWHERE_MS = 1000;
const LONGEST_MS = 10_000;

/** From the moment a publish is sent until a list shows it: on the same process, and on another one of the registry. */
export const visibleRow: Row = {
  name: 'visible',
  async measure(context): Promise<readonly Outcome[]> {
    const catalog = await context.catalog(context.scale.usual);
    const alone = await context.serve(await writePublishingConfig(catalog));
    const locally = await measureDelays(context, alone.origin, alone.origin).finally(() => alone.stop());
    const postgres = await TestPostgres.start(['fsync=on']);
    try {
      const database = await postgres.createDatabase();
      const first = await context.serve(await writePublishingConfig(catalog, database), 'free');
      try {
        const second = await context.serve(await writePublishingConfig(catalog, database), 'free');
        const elsewhere = await measureDelays(context, first.origin, second.origin).finally(() =>
          second.stop(),
        );
        return [
          describeDelays('publish sent until in a list, same process (SQLite)', locally, MOST_LOCALLY_MS),
          describeDelays(
            'publish sent until in a list of another replica (PostgreSQL)',
            elsewhere,
            MOST_ELSEWHERE_MS,
          ),
        ];
      } finally {
        await first.stop();
      }
    } finally {
      await postgres.close();
    }
  },
};

/** Milliseconds for each of many publishes, one after the other. */
async function measureDelays(
  { scale, tokens: [token = ''] }: BenchContext,
  writer: string,
  reader: string,
): Promise<number[]> {
  const Authorization = `Bearer ${token}`;
  const first = { path: `/registry/${REGISTRY}/v0.1/servers?limit=1`, headers: { Authorization } };
  const delays: number[] = [];
  for (let number = WARM + (scale.judges ? TIMES : 3); number > 0; number--) {
    // Each comes before all others in the order of names, so that the first page of a list shows it.
    const name = `a.bench/${String(number).padStart(3, '0')}`;
    const server = { name, version: '1.0.0', description: 'Shown at once' };
    const begun = performance.now();
    const answer = await fetch(`${writer}/v1/entries`, {
      method: 'POST',
      headers: { Authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify({ server, claims: PUBLISHED_CLAIMS }),
    });
    if (answer.status !== 201) throw new Error(`visible: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
    for (;;) {
      const { body = '' } = await captureAnswer(reader, first);
      const waited = performance.now() - begun;
      if (Buffer.from(body, 'base64').includes(`"${name}"`)) {
        delays.push(waited);
        break;
      }
      if (waited > LONGEST_MS) throw new Error(`visible: ${name} is in no list after ${LONGEST_MS} ms`);
    }
  }
  return delays.slice(WARM);
}

function describeDelays(what: string, delays: readonly number[], most: number): Outcome {
  const longest = Math.max(...delays);
  return {
    what,
    measured: `${longest.toFixed(1)} ms at most (p50 ${median(delays).toFixed(1)} ms of ${delays.length})`,
    target: `< ${most} ms`,
    isMet: longest < most,
  };
}
