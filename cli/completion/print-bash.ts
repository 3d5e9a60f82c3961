import { type CompletedCommand, groupByFirstWord } from './describe-commands.ts';

/** The completion script of bash. */
export function printBash(commands: readonly CompletedCommand[]): string {
  const groups = groupByFirstWord(commands);
  const subcommands = [...groups].filter(([, members]) => members.some(({ path }) => path.length > 1));
  return `# Completion of berth for bash. To use it: source <(berth completion bash)
_berth_workloads() {
  local file
  for file in "\${XDG_STATE_HOME:-$HOME/.local/state}"/berth/workloads/*.json; do
    [ -e "$file" ] || continue
    file=\${file##*/}
    printf '%s\\n' "\${file%.json}"
  done
}

_berth() {
  local current=\${COMP_WORDS[COMP_CWORD]} first=\${COMP_WORDS[1]} second=\${COMP_WORDS[2]}
  local words='' flags='' values='' before=\${COMP_WORDS[COMP_CWORD-1]} word
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [ "$word" = -- ] && return
  done
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${[...groups.keys(), 'help'].join(' ')}' -- "$current"))
    return
  fi
  if [ "$COMP_CWORD" -eq 2 ]; then
    case $first in
${subcommands.map(([first, members]) => `      ${first}) words='${members.map(({ path }) => path[1]).join(' ')}' ;;`).join('\n')}
    esac
    if [ -n "$words" ]; then
      COMPREPLY=($(compgen -W "$words" -- "$current"))
      return
    fi
  fi
  case "$first $second" in
${commands.map(printCase).join('\n')}
  esac
  case " $values " in
    *" $before "*) return ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}

complete -o default -F _berth berth
`;
}

function printCase({ path, flags, words }: CompletedCommand): string {
  const pattern = path.length > 1 ? `'${path.join(' ')}'` : `'${path[0]} '*`;
  const names = flags.flatMap((flag) => flag.names).join(' ');
  const values = flags
    .filter(({ takesValue }) => takesValue)
    .flatMap((flag) => flag.names)
    .join(' ');
  const known = words === 'workloads' ? '"$(_berth_workloads)"' : `'${(words ?? []).join(' ')}'`;
  return `    ${pattern}) flags='${names}' values='${values}' words=${known} ;;`;
}
