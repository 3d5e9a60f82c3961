import { expandVariables } from '../../../sources/config/expand-variables.ts';
import { configSchema } from '../../../sources/config/schema.ts';
import { groupBy } from '../group-by.ts';
import { anchorOf, escapeText, renderCode } from '../markdown/escape-text.ts';
import type { Page } from '../markdown/page.ts';
import { renderTable } from '../markdown/table.ts';
import type { Program } from '../source-code/load-program.ts';
import { readComment } from '../source-code/read-comment.ts';
import { findRules } from './find-rules.ts';
import { listVariables } from './list-variables.ts';
import { type Block, type Key, readBlocks } from './read-keys.ts';

const WHOLE = 'The whole file';
/** Shown expanded, with what the environment holds. */
const EXPANDED = [expand('TOKEN'), expand('REGION:-eu'), expand('EMPTY:-none'), `$${expand('TOKEN')}`, '$5'];
const ENVIRONMENT = { TOKEN: 'abc', EMPTY: '' };

/** The reference of `registry.config.yaml`. */
export function renderConfigurationPage(program: Program): Page {
  return {
    path: 'configuration.md',
    title: 'Configuration',
    description:
      'Every key of registry.config.yaml: type, default, allowed values, environment variable and meaning.',
    order: 1,
    blocks: [
      'Everything that `registry.config.yaml` may hold. Keys that are not here are errors; `berth validate` says where, and which key was probably meant.',
      'A *duration* is written like `30s`, `5m` or `1h30m`. *Claims* are a map from the name of a claim to one text or a list of texts.',
      ...readBlocks(configSchema).flatMap(renderBlock),
      '## Rules that span keys',
      'Checked after every key on its own. `{…}` stands for names of your configuration.',
      ...renderRules(program),
      '## Variables in values',
      escapeText(readComment(program, 'sources/config/expand-variables.ts', 'expandVariables')),
      renderExpansions(),
      '## Environment overrides',
      escapeText(
        readComment(program, 'sources/config/override-from-environment.ts', 'overrideFromEnvironment'),
      ),
      escapeText(readComment(program, 'sources/config/coerce-scalars.ts', 'coerceScalars')),
      'In a list, `N` is the number of an element from 0, or its `name` in capitals: `BERTH_SOURCES_0_GIT_BRANCH` or `BERTH_SOURCES_ACME_GIT_BRANCH`. Names may also be written without the underscores inside a key: `BERTH_DATADIR`.',
      renderTable(
        ['Variable', 'Key'],
        listVariables(configSchema).map(({ variable, path }) => [renderCode(variable), renderCode(path)]),
      ),
    ],
  };
}

function renderBlock({ path, description, keys }: Block): string[] {
  const depth = path.split('.').length > 1 ? '###' : '##';
  const sorted = [...keys].sort((a, b) => (a.name < b.name ? -1 : 1));
  return [
    path === '' ? `## ${WHOLE}` : `${depth} ${renderCode(path)}`,
    escapeText(description),
    renderTable(['Key', 'Value', 'Meaning'], sorted.map(renderKey)),
  ];
}

function renderKey(key: Key): string[] {
  const anchor = `<span id="key-${key.path.replaceAll('[]', '')}"></span>`;
  return [`${anchor}${renderCode(key.name)}`, renderValue(key), escapeText(key.description)];
}

/** What a key may hold, on lines below each other. */
function renderValue({ type, isRequired, defaultValue, bounds, block }: Key): string {
  const shown = block === undefined ? type : `[${type}](#${anchorOf(block)})`;
  const allowed = bounds === '' ? shown : `${shown}: ${bounds}`;
  const fallback = defaultValue === undefined ? [] : [`default ${renderCode(defaultValue)}`];
  return [allowed, ...(isRequired ? ['**required**'] : fallback)].join('<br>');
}

function renderRules(program: Program): string[] {
  return groupBy(findRules(program), ({ subject }) => subject).flatMap(([subject, rules]) => {
    const byMessage = groupBy(rules, ({ message }) => message);
    return [
      `### Rules of ${subject}`,
      renderTable(
        ['What is said', 'What to do'],
        byMessage.map(([message, said]) => [
          escapeText(message),
          escapeText(said.flatMap(({ fix }) => (fix === '' ? [] : [fix])).join(' Or: ')),
        ]),
      ),
    ];
  });
}

function renderExpansions(): string {
  const held = Object.entries(ENVIRONMENT).map(([name, value]) => `\`${name}=${value}\``);
  return [
    `With ${held.join(' and ')} in the environment:`,
    renderTable(
      ['Written', 'Read as'],
      EXPANDED.map((text) => [renderCode(text), renderCode(expandVariables(text, ENVIRONMENT).text)]),
    ),
  ].join('\n\n');
}

/** How a variable is written in a value. */
function expand(name: string): string {
  return `\${${name}}`;
}
