import { type CompletedCommand, groupByFirstWord } from './describe-commands.ts';

/** The completion script of fish. */
export function printFish(commands: readonly CompletedCommand[]): string {
  const lines = [
    '# Completion of berth for fish. To use it: berth completion fish | source',
    'function __berth_workloads',
    '    set -l state $XDG_STATE_HOME',
    '    test -n "$state"; or set state $HOME/.local/state',
    '    for file in $state/berth/workloads/*.json',
    "        string replace -r '.*/(.*)\\.json$' '$1' -- $file",
    '    end',
    'end',
    '',
    'function __berth_is',
    '    set -l given (commandline -opc)[2..-1]',
    '    test "$given[1..(count $argv)]" = "$argv"',
    'end',
    '',
    "complete -c berth -n 'test (count (commandline -opc)) -eq 1' -f",
  ];
  for (const [first, members] of groupByFirstWord(commands)) {
    const summary =
      members.length === 1 ? (members[0]?.summary ?? '') : members.map(({ path }) => path[1]).join(', ');
    lines.push(
      `complete -c berth -n 'test (count (commandline -opc)) -eq 1' -a ${first} -d ${quote(summary)}`,
      ...members
        .filter(({ path }) => path.length > 1)
        .map(
          ({ path, summary: own }) =>
            `complete -c berth -n '__berth_is ${first}; and test (count (commandline -opc)) -eq 2' -f -a ${path[1]} -d ${quote(own)}`,
        ),
    );
  }
  return `${[...lines, ...commands.flatMap(printCommand)].join('\n')}\n`;
}

function printCommand({ path, flags, words }: CompletedCommand): string[] {
  const start = `complete -c berth -n '__berth_is ${path.join(' ')}'`;
  const lines = flags.map(({ names, takesValue, description }) => {
    const spelled = names.map((name) =>
      name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
    );
    return `${start} ${spelled.join(' ')}${takesValue ? ' -r' : ''} -d ${quote(description)}`;
  });
  if (words === 'workloads') lines.push(`${start} -f -a '(__berth_workloads)'`);
  else if (words) lines.push(`${start} -f -a ${quote(words.join(' '))}`);
  return lines;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
