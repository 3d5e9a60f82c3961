import { listOption, switchOption, textOption } from './option-kinds.ts';
import { ProxyOptions } from './proxy-options.ts';

/** What the container of the server may do and see. */
export abstract class ContainerOptions extends ProxyOptions {
  publish = listOption(
    '-p,--publish',
    'publish a port of the container, as hostPort:containerPort; repeatable',
  );
  network = textOption('--network', 'network of the container engine to connect to (default: its bridge)');
  isolateNetwork = switchOption(
    '--isolate-network',
    'let the server reach only what its profile allows (default: true)',
  );
  allowDockerGateway = switchOption(
    '--allow-docker-gateway',
    'let an isolated server reach the gateway names and address of the engine, on any port (default: false)',
  );
  permissionProfile = textOption(
    '--permission-profile',
    'none, network or a JSON file (default: that of the registry entry, otherwise network)',
  );
  volume = listOption('-v,--volume', 'mount host-path:container-path, read-only with :ro; repeatable');
  memory = textOption('--memory', 'most memory of the container, such as 512m or 2g');
  cpus = textOption('--cpus', 'most processors of the container, such as 1.5');
  readOnly = switchOption('--read-only', 'make the root file system read-only (default: false)');
  ignoreGlobally = switchOption(
    '--ignore-globally',
    'hide what the berthignore file of the user names in mounts (default: true)',
  );
  printResolvedOverlays = switchOption(
    '--print-resolved-overlays',
    'show which paths of the container are hidden (default: false)',
  );
}
