// Takes the lock of a source, says so on standard output, and holds it for as long as it lives.
import { createLog } from '../../../../server/observe/log.ts';
import { PostgresStore } from '../../../../server/overlay/postgres/postgres-store.ts';

const [url = '', source = ''] = process.argv.slice(2);
const store = await PostgresStore.open({
  config: { url },
  baseDir: '/',
  log: createLog({ level: 'silent' }),
});
const lock = await store.replicas.tryLockSource(source);
process.stdout.write(`${lock ? 'held' : 'refused'}\n`);
setInterval(() => {}, 1000);
