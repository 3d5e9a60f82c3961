// The README's walk on three replicas: a PostgreSQL server and three `berth serve` with a data directory each, behind a
// port that deals connections to them in turn. Everything ends with it. For trying only.
import { type ChildProcess, spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { TestPostgres } from '../server/overlay/postgres/start-postgres.ts';
import { findCommand, ROOT } from '../support/built-command.ts';
import { findAddresses } from '../support/start-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const PORT = 8080;
const CONFIG = join(ROOT, 'tests', 'walk', 'registry.config.yaml');
/** The first is that of the configuration, where other commands look too. */
const DATA_DIRECTORIES = ['walk', 'walk-2', 'walk-3'].map((name) => join(ROOT, '.berth', name));

const postgres = await TestPostgres.start();
const replicas: ChildProcess[] = [];

// A signal ends the database first and then this process; the replicas finish on their own.
process.once('exit', () => {
  for (const replica of replicas) replica.kill('SIGTERM');
});

/** One replica, ready; answers its port. */
async function startReplica(dataDirectory: string, database: Record<string, string>): Promise<number> {
  const replica = spawn(
    process.execPath,
    [
      findCommand(),
      ...['serve', '--config', CONFIG, '--address', '127.0.0.1:0', '--internal-address', '127.0.0.1:0'],
    ],
    {
      env: { ...process.env, ...database, BERTH_DATA_DIR: dataDirectory },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  replicas.push(replica);
  let log = '';
  replica.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8');
  });
  try {
    const found = await waitUntil(() => findAddresses(log), 'where a replica listens', 20_000);
    const isReady = async () => (await fetch(`${found.internalAddress}/readiness`)).status === 200;
    await waitUntil(isReady, 'a replica that is ready', 30_000);
    return Number(new URL(found.address).port);
  } catch (error) {
    throw new Error(`A replica did not start; it logged:\n${log}`, { cause: error });
  }
}

try {
  const { host, port, user, password, database, sslMode } = await postgres.createDatabase();
  const settings = {
    ...{
      BERTH_DATABASE_HOST: host ?? '',
      BERTH_DATABASE_PORT: String(port),
      BERTH_DATABASE_USER: user ?? '',
    },
    ...{ BERTH_DATABASE_PASSWORD: password ?? '', BERTH_DATABASE_DATABASE: database },
    BERTH_DATABASE_SSL_MODE: sslMode ?? '',
  };
  const ports: number[] = [];
  for (const directory of DATA_DIRECTORIES) ports.push(await startReplica(directory, settings));
  let turn = 0;
  const balancer = createServer((client) => {
    const replica = connect(ports[turn++ % ports.length] ?? 0, '127.0.0.1');
    for (const socket of [client, replica]) {
      socket.once('error', () => {
        client.destroy();
        replica.destroy();
      });
    }
    client.pipe(replica).pipe(client);
  });
  balancer.listen(PORT, '127.0.0.1', () =>
    console.log(`http://127.0.0.1:${PORT} deals connections to ${ports.length} replicas in turn`),
  );
} catch (error) {
  console.error(error);
  await postgres.close();
  process.exit(1);
}
