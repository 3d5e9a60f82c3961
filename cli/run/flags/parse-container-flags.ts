import { decideIsolation } from '../../isolation/decide-isolation.ts';
import type { RunOptionValues } from '../run-options.ts';
import { refuseFlag } from './flag-error.ts';
import { readCpus, readMemory } from './parse-size.ts';
import { readLabels } from './read-labels.ts';
import { readSwitch, readText } from './read-values.ts';
import type { RunFlags } from './run-flags.ts';
import { withoutAbsent } from './without-absent.ts';

type ContainerFlags = Pick<RunFlags, 'network' | 'ignore' | 'labels' | 'limits' | 'warnings'>;

/** The flags of what a container may do and see (specification 4.1). @throws UsageError */
export function parseContainerFlags(options: RunOptionValues): ContainerFlags {
  const mode = readText('--network', options.network);
  const isolateNetwork = readSwitch('--isolate-network', options.isolateNetwork);
  const { isolate, warning } = decideIsolation(withoutAbsent({ network: mode, isolateNetwork }));
  return {
    network: withoutAbsent({
      mode,
      isolate,
      allowDockerGateway: readSwitch('--allow-docker-gateway', options.allowDockerGateway),
      publish: readPublished(options.publish),
    }),
    ignore: withoutAbsent({
      globally: readSwitch('--ignore-globally', options.ignoreGlobally),
      printOverlays: readSwitch('--print-resolved-overlays', options.printResolvedOverlays),
    }),
    labels: readLabels(options.label),
    limits: withoutAbsent({
      memoryBytes: readMemory(options.memory),
      cpus: readCpus(options.cpus),
      readOnlyRoot: readSwitch('--read-only', options.readOnly),
    }),
    warnings: warning === undefined ? [] : [warning],
  };
}

/** Each `hostPort:containerPort`. */
function readPublished(given: readonly string[] | undefined): { host: number; container: number }[] {
  return (given ?? [])
    .flatMap((text) => text.split(','))
    .map((text) => {
      const [, host, container] = /^(\d{1,5}):(\d{1,5})$/.exec(text) ?? [];
      const ports = { host: Number(host), container: Number(container) };
      if (Object.values(ports).some((port) => !(port >= 1 && port <= 65_535))) {
        throw refuseFlag(
          '--publish',
          `"${text}" is not hostPort:containerPort.`,
          'Ports are whole numbers from 1 to 65535.',
        );
      }
      return ports;
    });
}
