/**
 * A pattern as an expression over whole names: `*` any run of characters, `/` included; `?` one character; `[abc]`,
 * `[a-z]`, `[!abc]` one of a set; `{a,b}` one of some texts. A bracket that is not closed stands for itself, so no
 * pattern is invalid.
 */
export function compileGlob(pattern: string): RegExp {
  return new RegExp(`^${translate(pattern)}$`, 'su');
}

const SET = /^\[([!^]?)((?:\](?=.))?[^\]]+)\]/su;
const CHOICE = /^\{([^{}]*)\}/su;

function translate(pattern: string): string {
  let expression = '';
  let rest = pattern;
  while (rest !== '') {
    const set = SET.exec(rest);
    const choice = CHOICE.exec(rest);
    const run = /^\*+/.exec(rest);
    if (run) {
      expression += '.*';
      rest = rest.slice(run[0].length);
    } else if (set) {
      expression += translateSet(set[1] !== '', set[2] ?? '');
      rest = rest.slice(set[0].length);
    } else if (choice) {
      expression += `(?:${(choice[1] ?? '').split(',').map(translate).join('|')})`;
      rest = rest.slice(choice[0].length);
    } else {
      const [character = ''] = rest;
      expression += character === '?' ? '.' : escapeLiteral(character);
      rest = rest.slice(character.length);
    }
  }
  return expression;
}

/** A range that runs backwards (`z-a`) is taken as its three characters. */
function translateSet(negated: boolean, members: string): string {
  const parts = members.match(/.-.|./gsu) ?? [];
  const body = parts.map((part) => {
    const [from = '', , to = ''] = part;
    const isRange = [...part].length === 3 && (from.codePointAt(0) ?? 0) <= (to.codePointAt(0) ?? 0);
    return isRange ? `${escapeInSet(from)}-${escapeInSet(to)}` : [...part].map(escapeInSet).join('');
  });
  return `[${negated ? '^' : ''}${body.join('')}]`;
}

function escapeLiteral(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

function escapeInSet(character: string): string {
  return /[\\^\]\-[]/.test(character) ? `\\${character}` : character;
}
