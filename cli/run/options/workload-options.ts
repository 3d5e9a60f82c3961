import { BerthCommand } from '../../berth-command.ts';
import { listOption, switchOption, textOption } from './option-kinds.ts';

/** What the workload is called, where it runs and what `run` prints. */
export abstract class WorkloadOptions extends BerthCommand {
  name = textOption('--name', 'name of the workload (default: made from the server)');
  group = textOption('--group', 'group the workload belongs to (default: default)');
  foreground = switchOption(
    '-f,--foreground',
    'run the supervisor here, and remove the workload at the end (default: false)',
  );
  fromConfig = textOption('--from-config', 'run from a file that `berth export` wrote');
  package = textOption(
    '--package',
    'which package of a registry entry to run: 1 for the first; its remotes count after its packages',
  );
  detachTimeout = textOption('--detach-timeout', 'how long to wait until the server answers (default: 5m)');
  format = textOption('--format', 'text, json (default: text)');
  dryRun = switchOption('--dry-run', 'print the plan as JSON and start nothing (default: false)');
  debug = switchOption('--debug', 'say more in the log of the workload (default: false)');
  label = listOption('-l,--label', 'label of the container, as key=value; repeatable');
}
