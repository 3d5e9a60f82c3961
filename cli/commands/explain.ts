import { Command, Option } from 'clipanion';
import { readHeldClaims } from '../../server/auth/claims-of-token.ts';
import { describeExplanation } from '../../server/authz/describe-explanation.ts';
import { explainEntry } from '../../server/view/explain-entry.ts';
import { loadConfig } from '../../sources/config/load-config.ts';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { configOption, formatOption, readFormat } from '../common-options.ts';
import { loadWorld } from '../explain/load-world.ts';
import { readCaller } from '../explain/read-caller.ts';
import { showText } from '../show-text.ts';

const FORMATS = ['text', 'json'] as const;

export class ExplainCommand extends BerthCommand {
  static override paths = [['explain']];
  static override usage = Command.Usage({
    ...describeCommand('explain'),
    details: `
      Works on the compiled bundles, without a running service; bundles that are missing are compiled. The last line
      says visible or not visible and what decided. The exit code is 0 for both answers.
    `,
    examples: [
      [
        'Why does this team not see the server?',
        `$0 explain --registry default --entry server/io.example/search --claims '{"org":"acme","team":"data"}'`,
      ],
      ['For the holder of a token', '$0 explain --registry default --entry skill/acme/pdf --token "$TOKEN"'],
    ],
  });

  registry = Option.String('--registry', { required: true, description: 'name of the registry' });
  entry = Option.String('--entry', {
    required: true,
    description: 'server/NAMESPACE/NAME or skill/NAMESPACE/NAME',
  });
  claims = Option.String('--claims', { description: 'claims of the caller: JSON, or @file' });
  token = Option.String('--token', { description: 'a JWT of the caller; decoded, not verified' });
  config = configOption();
  format = formatOption(FORMATS);

  async execute(): Promise<number> {
    const format = readFormat(this.format, FORMATS);
    const caller = await readCaller({ claims: this.claims, token: this.token, now: Date.now() });
    const loaded = await loadConfig(this.config, { env: this.context.env });
    const { world, notes } = await loadWorld(loaded, this.registry);
    const explanation = explainEntry(world, loaded.config.auth, {
      registry: this.registry,
      entry: this.entry,
      held: readHeldClaims(caller.members),
    });
    const text = describeExplanation(explanation);
    const remarks = [...caller.notes, ...notes];
    if (format === 'json') this.printJson({ ...explanation, text, notes: remarks });
    else this.print([...remarks.map((note) => `note: ${note}`), ...text].map(showText));
    return 0;
  }
}
