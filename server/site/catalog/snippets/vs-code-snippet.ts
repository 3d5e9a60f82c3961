import type { Launch, NamedValue } from './plan-launch.ts';
import { isFitToCopy } from './quote-word.ts';
import type { Ask, ValueParts } from './value-parts.ts';

/**
 * The `mcp.json` of VS Code for a server; values of the user are inputs, which it asks for and keeps.
 * @returns undefined when the entry holds what VS Code would put other things in for: `${env:NAME}` in an address would
 * send what is in the environment there
 */
export function writeVsCode(name: string, launch: Launch): string | undefined {
  const inputs = new Inputs();
  const server =
    launch.kind === 'remote'
      ? { type: launch.type, url: inputs.write(launch.url), ...inputs.writeAll('headers', launch.headers) }
      : {
          type: 'stdio',
          command: launch.command,
          args: launch.args.map((word) => inputs.write(word)),
          ...inputs.writeAll('env', launch.env),
        };
  if (!inputs.isFit) return undefined;
  const asked = inputs.list();
  const config = { ...(asked.length > 0 ? { inputs: asked } : {}), servers: { [name]: server } };
  return JSON.stringify(config, undefined, 2);
}

class Inputs {
  /** False once a text was met that must not be written. */
  isFit = true;
  readonly #byName = new Map<string, { readonly id: string; readonly ask: Ask }>();

  write(parts: ValueParts): string {
    // Looked at together: `$` and `{env:NAME}` may come from different parts.
    const own = parts.filter((part) => typeof part === 'string').join('');
    if (own.includes('${') || !isFitToCopy(own)) this.isFit = false;
    return parts.map((part) => (typeof part === 'string' ? part : `\${input:${this.#reach(part)}}`)).join('');
  }

  writeAll(member: string, values: readonly NamedValue[]): Record<string, Record<string, string>> {
    if (values.length === 0) return {};
    return { [member]: Object.fromEntries(values.map(({ name, parts }) => [name, this.write(parts)])) };
  }

  list(): Record<string, unknown>[] {
    return [...this.#byName.values()].map(({ id, ask: { name, description, isSecret, choices } }) => {
      const text = cleanText(description ?? name);
      const options = choices.filter((choice) => isFitToCopy(choice) && !choice.includes('${'));
      return options.length > 0
        ? { type: 'pickString', id, description: text, options }
        : { type: 'promptString', id, description: text, ...(isSecret ? { password: true } : {}) };
    });
  }

  #reach(ask: Ask): string {
    const known = this.#byName.get(ask.name);
    if (known) return known.id;
    const base = ask.name.replaceAll(/[^A-Za-z0-9_-]+/g, '_');
    const taken = new Set([...this.#byName.values()].map(({ id }) => id));
    let id = base;
    for (let number = 2; taken.has(id); number++) id = `${base}_${number}`;
    this.#byName.set(ask.name, { id, ask });
    return id;
  }
}

/** A description is for reading: what is not fit goes. */
function cleanText(text: string): string {
  return [...text]
    .map((character) => (isFitToCopy(character) ? character : ' '))
    .join('')
    .replaceAll('${', '$ {');
}
