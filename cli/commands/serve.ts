import cluster from 'node:cluster';
import { Command, Option } from 'clipanion';
import { createLog } from '../../server/observe/log.ts';
import { type ListenAddress, parseAddress } from '../../server/parse-address.ts';
import { type ServeOptions, startServer } from '../../server/start-server.ts';
import { loadConfig } from '../../sources/config/load-config.ts';
import { BerthError } from '../../sources/errors.ts';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { configOption } from '../common-options.ts';
import { isTerminal } from '../is-colorful.ts';
import { createPaint } from '../paint.ts';
import { printServing } from '../print-serving.ts';
import { readWorkerCount } from '../read-worker-count.ts';
import { reportError } from '../report-error.ts';
import { UsageError } from '../usage-error.ts';
import { waitForSignal } from '../wait-for-signal.ts';

export class ServeCommand extends BerthCommand {
  static override paths = [['serve']];
  static override usage = Command.Usage({
    ...describeCommand('serve'),
    details: `
      Serves the consumer API, the admin API and the site on one address; health, readiness and metrics on another. The
      configuration and every watched path may be edited while it runs. SIGTERM and Ctrl-C end it gracefully, SIGHUP
      reopens the audit file.
    `,
    examples: [
      ['With registry.config.yaml of this directory', '$0 serve'],
      ['Reachable from other machines', '$0 serve --address :8080'],
      ['On every core of the machine', '$0 serve --workers auto'],
      ['Without sign-in, to try things out', '$0 serve --auth-mode anonymous'],
    ],
  });

  config = configOption();
  address = Option.String('--address', '127.0.0.1:8080', {
    description:
      'where to serve: host:port, [ipv6]:port or :port for all interfaces (default: 127.0.0.1:8080)',
  });
  internalAddress = Option.String('--internal-address', ':8081', {
    description: 'where health, readiness, version and metrics are answered (default: :8081)',
  });
  authMode = Option.String('--auth-mode', {
    description: 'oauth or anonymous, instead of the mode of the configuration',
  });
  workers = Option.String('--workers', '1', {
    description:
      'how many processes answer requests on the address: a number, or auto for one per core (default: 1)',
  });

  async execute(): Promise<number> {
    const { env, stderr } = this.context;
    const authMode = readAuthMode(this.authMode);
    const address = readAddress(this.address, '--address');
    const internalAddress = readAddress(this.internalAddress, '--internal-address');
    const workers = readWorkerCount(this.workers);
    const log = createLog({ level: env.BERTH_LOG_LEVEL });
    const signal = waitForSignal(process);
    const options: ServeOptions = {
      configFile: this.config,
      address,
      internalAddress,
      ...(authMode === undefined ? {} : { authMode }),
      log,
    };
    if (cluster.isWorker) {
      // The connection to the process that started this one would keep it, whatever happened.
      const code = await import('../../server/workers/serve-as-worker.ts')
        .then(({ serveAsWorker }) => serveAsWorker(options, log, signal))
        .then(() => 0)
        .catch((error: unknown) => {
          reportError(error, { stderr, env });
          return 1;
        });
      process.exit(code);
    }
    const role =
      workers === 1
        ? {}
        : { role: (await import('../../server/workers/primary-role.ts')).createPrimaryRole(workers, log) };
    const server = await startServer({ ...options, ...role }).catch((error: unknown) => {
      reportError(error, { stderr, env });
      // Parts that had started, such as the internal server, would keep the process.
      process.exit(1);
    });
    if (isTerminal(stderr)) {
      const { config } = await loadConfig(this.config, {
        env,
        ...(authMode === undefined ? {} : { authMode }),
      });
      stderr.write(printServing(server, config, createPaint(stderr, env)));
    }
    await signal;
    await server.close();
    // Nothing may keep the process: what had to be written is written.
    process.exit(0);
  }
}

function readAddress(text: string, flag: string): ListenAddress {
  try {
    return parseAddress(text, flag);
  } catch (error) {
    if (!(error instanceof BerthError)) throw error;
    throw new UsageError(error.message, {
      ...(error.at ? { at: error.at } : {}),
      ...(error.fix === undefined ? {} : { fix: error.fix }),
    });
  }
}

function readAuthMode(given: string | undefined): 'oauth' | 'anonymous' | undefined {
  if (given === undefined || given === 'oauth' || given === 'anonymous') return given;
  throw new UsageError(`There is no mode "${given}".`, {
    at: { flag: '--auth-mode' },
    fix: 'Use oauth or anonymous.',
  });
}
