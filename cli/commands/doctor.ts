import { Command, Option } from 'clipanion';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { formatOption, readFormat } from '../common-options.ts';
import { examineRegistry, isHealthy } from '../doctor/examine-registry.ts';
import { printExamination } from '../doctor/print-examination.ts';

const FORMATS = ['text', 'json'] as const;

export class DoctorCommand extends BerthCommand {
  static override paths = [['doctor']];
  static override usage = Command.Usage({
    ...describeCommand('doctor'),
    details: `
      Sends what VS Code, Copilot CLI, the official Go client, npx skills and another Berth send, and explains each
      answer they would not get along with. Any v0.1 registry can be examined. The exit code is 1 when something fails.
    `,
    examples: [
      ['A registry of our own', '$0 doctor http://127.0.0.1:8080/registry/default'],
      ['One that wants a token', '$0 doctor https://registry.example.com/registry/default --token "$TOKEN"'],
    ],
  });

  url = Option.String({ name: 'URL' });
  token = Option.String('--token', { description: 'sent with every request as Authorization: Bearer' });
  format = formatOption(FORMATS);

  async execute(): Promise<number> {
    const format = readFormat(this.format, FORMATS);
    const examination = await examineRegistry(this.url, { token: this.token });
    const healthy = isHealthy(examination);
    if (format === 'json') this.printJson({ healthy, ...examination });
    else this.print(printExamination(examination, this.paint));
    return healthy ? 0 : 1;
  }
}
