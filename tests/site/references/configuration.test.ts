import { expect, it } from 'vitest';
import { z } from 'zod';
import { listVariables } from '../../../site/references/configuration/list-variables.ts';
import { readBlocks } from '../../../site/references/configuration/read-keys.ts';
import type { ConfigNode } from '../../../sources/config/config-tree.ts';
import { matchVariable } from '../../../sources/config/match-variable.ts';
import { configSchema } from '../../../sources/config/schema.ts';
import { findRow, readPage } from './written-pages.ts';

const keys = readBlocks(configSchema).flatMap((block) => block.keys);

it('has a description for every key of the configuration', () => {
  expect(keys.length).toBeGreaterThan(100);
  expect(keys.filter(({ description }) => description === '').map(({ path }) => path)).toEqual([]);
});

it('sees a key without a description', () => {
  const schema = z.strictObject({
    named: z.string().describe('Said.'),
    silent: z.strictObject({ deep: z.string() }),
  });
  const silent = readBlocks(schema).flatMap((block) =>
    block.keys.filter(({ description }) => description === ''),
  );
  expect(silent.map(({ path }) => path)).toEqual(['silent', 'silent.deep']);
});

it('reads types, defaults and bounds off the schema', () => {
  const find = (path: string) => keys.find((key) => key.path === path);
  expect(find('limits.requestTimeout')).toMatchObject({
    type: 'duration',
    defaultValue: '10s',
    isRequired: false,
  });
  expect(find('limits.maxPageSize')).toMatchObject({
    type: 'whole number',
    bounds: '1 to 10000',
    defaultValue: '100',
  });
  expect(find('auth.mode')).toMatchObject({ bounds: '`oauth`, `anonymous`', defaultValue: 'oauth' });
  expect(find('sources')).toMatchObject({ isRequired: true, bounds: 'at least one', block: 'sources[]' });
  expect(find('sources[].claims')).toMatchObject({ type: 'claims' });
  expect(find('sources[].git.path')).toMatchObject({ type: 'text', defaultValue: 'registry.json' });
});

it('names variables that set what the table says', () => {
  const variables = listVariables(configSchema);
  expect(variables.length).toBeGreaterThan(70);
  const at = { line: 1, column: 1 };
  const root: ConfigNode = { kind: 'map', entries: new Map(), at };
  for (const { variable, path } of variables) {
    const name = variable.slice('BERTH_'.length).replaceAll('_N_', '_0_');
    const steps = path.split('.').flatMap((step) => (step.endsWith('[]') ? [step.slice(0, -2), 0] : [step]));
    expect(matchVariable(name, configSchema, root), variable).toEqual(steps);
  }
});

it('shows a key, a rule that spans keys and an expanded variable', () => {
  const text = readPage('configuration.md');
  expect(findRow(text, 'dataDir')[1]).toBe('text<br>default `.berth`');
  expect(text).toContain('database needs url or host');
  expect(text).toContain('the source "{source}" is listed twice');
  expect(findRow(text, `\${REGION:-eu}`)[1]).toBe('`eu`');
});
