// Publishes for as long as it lives; says on standard output what was answered, one line each.
import { writeSync } from 'node:fs';
import { createLog } from '../../../../server/observe/log.ts';
import { Overlay } from '../../../../server/overlay/overlay.ts';
import { PostgresStore } from '../../../../server/overlay/postgres/postgres-store.ts';

const [url = '', round = ''] = process.argv.slice(2);
const log = createLog({ level: 'silent' });
const overlay = await Overlay.open(await PostgresStore.open({ config: { url }, baseDir: '/', log }));

async function publishForever(worker: number): Promise<never> {
  for (let number = 0; ; number++) {
    const name = `io.example/r${round}-w${worker}-${number}`;
    const body = { name, version: '1.0.0', description: 'x'.repeat(2000) };
    await overlay.publish(
      'main',
      { type: 'server', name, version: '1.0.0', body, status: 'active', tags: [], tools: [] },
      { org: 'acme' },
    );
    writeSync(1, `${name}\n`);
  }
}

await Promise.all(Array.from({ length: 16 }, (_, worker) => publishForever(worker)));
