import { type CompletedCommand, groupByFirstWord } from './describe-commands.ts';

/** The completion script of zsh. */
export function printZsh(commands: readonly CompletedCommand[]): string {
  const groups = groupByFirstWord(commands);
  const first = [...groups].map(([word, members]) => [word, summaryOf(word, members)] as const);
  const subcommands = [...groups].filter(([, members]) => members.some(({ path }) => path.length > 1));
  return `#compdef berth
# Completion of berth for zsh. To use it: source <(berth completion zsh), or save it as _berth in your fpath.
_berth_workloads() {
  local -a names
  names=("\${XDG_STATE_HOME:-$HOME/.local/state}"/berth/workloads/*.json(N:t:r))
  compadd -a names
}

_berth() {
  local -a items
  if (( CURRENT == 2 )); then
    items=(
${first.map(([word, summary]) => `      ${quote(`${word}:${summary}`)}`).join('\n')}
    )
    _describe command items
    return
  fi
  if (( CURRENT == 3 )); then
    case $words[2] in
${subcommands.map(printSubcommands).join('\n')}
    esac
  fi
  case "$words[2] $words[3]" in
${commands.map(printCase).join('\n')}
  esac
}

if [ "$funcstack[1]" = _berth ]; then
  _berth "$@"
else
  compdef _berth berth
fi
`;
}

function summaryOf(word: string, members: readonly CompletedCommand[]): string {
  const [only] = members;
  if (only && members.length === 1 && only.path.length === 1) return only.summary;
  return `${word} ${members.map(({ path }) => path[1]).join(', ')}`;
}

function printSubcommands([first, members]: readonly [string, readonly CompletedCommand[]]): string {
  const items = members.map(({ path, summary }) => quote(`${path[1]}:${summary}`));
  return `      ${first}) items=(${items.join(' ')}); _describe command items; return ;;`;
}

function printCase({ path, flags, words }: CompletedCommand): string {
  const pattern = path.length > 1 ? `'${path.join(' ')}'` : `'${path[0]} '*`;
  const specs = flags.flatMap(({ names, takesValue, description }) =>
    names.map((name) =>
      quote(`*${name}[${description.replace(/[[\]:]/g, ' ')}]${takesValue ? ':value:_default' : ''}`),
    ),
  );
  const rest = words === 'workloads' ? '_berth_workloads' : words ? `(${words.join(' ')})` : '_default';
  return `    ${pattern}) _arguments ${[...specs, quote(`*:argument:${rest}`)].join(' ')} ;;`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
