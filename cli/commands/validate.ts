import { Command, Option } from 'clipanion';
import { describeProblem } from '../../sources/config/describe-problem.ts';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { configOption, formatOption, readFormat } from '../common-options.ts';
import { countWords } from '../format-numbers.ts';
import { showText } from '../show-text.ts';
import { checkConfig } from '../validate/check-config.ts';
import { checkPath } from '../validate/check-path.ts';
import { joinFindings } from '../validate/found-problem.ts';

const FORMATS = ['text', 'json'] as const;

export class ValidateCommand extends BerthCommand {
  static override paths = [['validate']];
  static override usage = Command.Usage({
    ...describeCommand('validate'),
    details: `
      Without a path: the configuration and the catalogs of its file sources. With paths: these catalog files and
      directories, and no configuration is needed. Each problem is one line, file:line:column: message and what to do;
      the exit code is 1 when there is one.
    `,
    examples: [
      ['The configuration of this directory and its catalogs', '$0 validate'],
      ['Also what has to be fetched', '$0 validate --fetch'],
      ['A catalog, before it is pushed', '$0 validate catalogs/team.json skills/'],
    ],
  });

  given = Option.Rest({ name: 'PATH' });
  config = configOption();
  fetch = Option.Boolean('--fetch', false, { description: 'also check git, api and url sources' });
  format = formatOption(FORMATS);

  async execute(): Promise<number> {
    const format = readFormat(this.format, FORMATS);
    const cwd = process.cwd();
    const { env } = this.context;
    const { problems, notes, valid } =
      this.given.length === 0
        ? await checkConfig(this.config, { env, cwd, fetch: this.fetch })
        : joinFindings(await Promise.all(this.given.map((path) => checkPath(path, cwd))));
    if (format === 'json') this.printJson({ valid: problems.length === 0, versions: valid, problems, notes });
    else {
      const verdict = problems.length === 0 ? this.paint.green('valid') : this.paint.red('not valid');
      const counts = [countWords(valid, 'valid entry version'), countWords(problems.length, 'problem')];
      this.print([
        ...problems.map((problem) => showText(describeProblem(problem))),
        ...notes.map((note) => `note: ${showText(note)}`),
        `${verdict}: ${counts.join(', ')}`,
      ]);
    }
    return problems.length === 0 ? 0 : 1;
  }
}
