// Publishes until the store refuses; then says so, waits for a line on standard input, and publishes once more.
import { once } from 'node:events';
import { HttpError } from '../../../server/http/problem.ts';
import { Overlay } from '../../../server/overlay/overlay.ts';
import { SqliteStore } from '../../../server/overlay/sqlite-store.ts';

const [path = ''] = process.argv.slice(2);
const overlay = await Overlay.open(await SqliteStore.open({ path, configured: path }));

async function publish(name: string): Promise<string> {
  const body = { name, version: '1.0.0', description: 'x'.repeat(20_000) };
  try {
    await overlay.publish(
      'main',
      { type: 'server', name, version: '1.0.0', body, status: 'active', tags: [], tools: [] },
      {},
    );
    return 'stored';
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return `${error.status} ${error.code} retry-after=${error.headers['Retry-After']}`;
  }
}

let stored = 0;
let answer = await publish('io.example/n0');
while (answer === 'stored') answer = await publish(`io.example/n${++stored}`);
const readable = overlay.segmentOf('main').servers.nameCount;
process.stdout.write(
  `${JSON.stringify({ stored, answer, readable, trouble: await overlay.listTrouble() })}\n`,
);
await once(process.stdin, 'data');
const trouble = await overlay.listTrouble();
process.stdout.write(`${JSON.stringify({ again: await publish('io.example/again'), trouble })}\n`);
await overlay.close();
process.exit(0);
