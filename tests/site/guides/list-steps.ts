import { spawnSync } from 'node:child_process';
import type { Guide, GuideBlock } from './read-guide.ts';

/** Above a block of commands that keep running: the reader opens a terminal for them. */
const OWN_TERMINAL = /^Another terminal/;
/** Languages of blocks that are only read. */
const SHOWN = ['text', 'http'];
/** Languages of files; without a title the block is an excerpt of one. */
const FILES = ['yaml', 'json', 'markdown', 'ini', 'dockerfile', 'js'];

/** What a reader does with one block of a guide. */
export type GuideStep =
  | { readonly does: 'write'; readonly line: number; readonly file: string; readonly text: string }
  | { readonly does: 'start'; readonly line: number; readonly command: string }
  | { readonly does: 'run'; readonly line: number; readonly command: string; readonly output?: string }
  | { readonly does: 'read'; readonly line: number; readonly language: string; readonly text: string };

/**
 * What a page asks its reader to do, in its order. `console` blocks have commands behind `$` with what they print,
 * `sh` blocks have commands alone, and blocks titled with a path are files.
 * @throws Error for a block in another language, so that nothing escapes the test by its name
 */
export function listSteps({ page, blocks }: Guide): readonly GuideStep[] {
  return blocks.flatMap((block): GuideStep[] => {
    const { line, language, title, code } = block;
    if (language === 'console') return listConsoleSteps(block);
    if (language === 'sh') {
      if (title && OWN_TERMINAL.test(title)) return [{ does: 'start', line, command: code }];
      return splitCommands(code).map((command) => ({ does: 'run', line, command }));
    }
    if (FILES.includes(language) && title) return [{ does: 'write', line, file: title, text: `${code}\n` }];
    if (FILES.includes(language) || SHOWN.includes(language)) {
      return [{ does: 'read', line, language, text: code }];
    }
    throw new Error(`${page}:${line}: a block in "${language}" is neither run, written nor checked`);
  });
}

/** The commands of a block, so that each has to succeed: as many lines each as bash takes for one. */
function splitCommands(code: string): readonly string[] {
  const commands: string[] = [];
  let open: string[] = [];
  for (const line of code.split('\n')) {
    open.push(line);
    if (!isWhole(open.join('\n'))) continue;
    commands.push(open.join('\n'));
    open = [];
  }
  if (open.length > 0) throw new Error(`bash does not understand: ${open.join('\n')}`);
  return commands.filter((command) => command.trim() !== '');
}

/** A block that is left open is an error, a here-document a warning. */
function isWhole(command: string): boolean {
  const { status, stderr } = spawnSync('bash', ['-n'], { input: `${command}\n`, encoding: 'utf8' });
  return status === 0 && stderr === '' && !command.endsWith('\\');
}

/** A line that ends with a backslash goes on in the next one. */
function listConsoleSteps({ line, code }: GuideBlock): GuideStep[] {
  const lines = code.split('\n');
  const steps: GuideStep[] = [];
  for (let at = 0; at < lines.length; ) {
    const start = at;
    const command = [(lines[at++] ?? '').replace(/^\$ /, '')];
    while (command.at(-1)?.endsWith('\\')) command.push(lines[at++] ?? '');
    const output: string[] = [];
    while (at < lines.length && !lines[at]?.startsWith('$ ')) output.push(lines[at++] ?? '');
    steps.push({
      does: 'run',
      line: line + 1 + start,
      command: command.join('\n'),
      output: output.join('\n').trimEnd(),
    });
  }
  return steps;
}
