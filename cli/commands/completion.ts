import { Command, Option } from 'clipanion';
import { suggestName } from '../../sources/config/nearest-name.ts';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { describeCommands, SHELLS, type Shell } from '../completion/describe-commands.ts';
import { printBash } from '../completion/print-bash.ts';
import { printFish } from '../completion/print-fish.ts';
import { printZsh } from '../completion/print-zsh.ts';
import { UsageError } from '../usage-error.ts';

const PRINTERS = { bash: printBash, zsh: printZsh, fish: printFish };

export class CompletionCommand extends BerthCommand {
  static override paths = [['completion']];
  static override usage = Command.Usage({
    ...describeCommand('completion'),
    details: `Commands, flags and names of workloads. SHELL is ${SHELLS.join(', ')}.`,
    examples: [
      ['In ~/.bashrc', 'source <(berth completion bash)'],
      ['In ~/.zshrc', 'source <(berth completion zsh)'],
      ['In the configuration of fish', 'berth completion fish | source'],
    ],
  });

  shell = Option.String({ name: 'SHELL' });

  async execute(): Promise<number> {
    const shell = readShell(this.shell);
    this.context.stdout.write(PRINTERS[shell](await describeCommands()));
    return 0;
  }
}

function readShell(given: string): Shell {
  const shell = SHELLS.find((known) => known === given);
  if (shell) return shell;
  throw new UsageError(`There is no completion for "${given}".`, {
    fix: suggestName(given, SHELLS) ?? `Use ${SHELLS.join(', ')}.`,
  });
}
