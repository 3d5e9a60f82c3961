import fc from 'fast-check';
import { parse as parseJsonc } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { jsonEditor } from '../../../cli/clients/edit-json.ts';
import { tomlEditor } from '../../../cli/clients/edit-toml.ts';
import { yamlEditor } from '../../../cli/clients/edit-yaml.ts';
import { type ConfigEditor, type FileRecord, UneditableFile } from '../../../cli/clients/entry-record.ts';
import { proves } from '../../requirements/proves.ts';

const KEY = 'servers';
const EMPTY: FileRecord = { client: 'x', created: false, entries: {}, before: {} };
const entryOf = (name: string) => ({ type: 'http', url: `http://127.0.0.1:1/${name}` });

/** Adds names in one order and removes them in another; answers every text on the way. */
function play(editor: ConfigEditor, text: string, names: readonly string[], removal: readonly string[]) {
  let now = { text, record: EMPTY };
  const texts: string[] = [];
  for (const name of names) {
    now = editor.add({ ...now, key: KEY, name, entry: entryOf(name) });
    texts.push(now.text);
  }
  for (const name of removal) {
    now = editor.remove(now.text, now.record, KEY, name);
    texts.push(now.text);
  }
  expect(Object.keys(now.record.entries)).toHaveLength(names.length - removal.length);
  return texts;
}

const JSON_FILES = [
  '',
  '\n',
  '{}',
  '{}\n',
  '{ }',
  '{\n}\n',
  '{"a":1}',
  '{"a": 1}',
  '{ "a": 1 }\n',
  '{"servers":{}}',
  '{"servers":{"own":{"url":"x"}}}',
  '{\n  "servers": {}\n}\n',
  '{\n  "servers": {\n  }\n}\n',
  '{\n  "servers": {\n    "own": {\n      "url": "x"\n    }\n  },\n  "z": [1,2]\n}',
  '{\r\n\t"a": true,\r\n\t"servers": {\r\n\t\t"own": {}\r\n\t}\r\n}\r\n',
  '// top\n{\n    "a": 1, // about a\n    /* b */ "b": 2 // last\n}\n// end\n',
  '{\n  "servers": {\n    // none yet\n  }\n}\n',
  '{\n  "servers": {\n    "own": {}, // trailing comma\n  },\n}\n',
  '{\n  "servers": {\n    "own": {} // no comma   \n\n  }\n}\n',
  '{\n  "x": {"servers": {}},\n\n  "servers": { "own": {} }\n}\n',
];

const YAML_FILES = [
  '',
  '# only a comment\n',
  'a: 1',
  'a: 1\n',
  'servers:\n',
  'servers: {}\n',
  'servers: {own: {url: x}}\nb: 2\n',
  'servers:\n  own:\n    url: x # mine\n\n# after\nb:   [1,   2]\n',
  '# top\nb: |\n  text\n  more\nservers:\n    own: {url: x}\n    second:\n        url: "y"',
  'a: &x {k: 1}\r\nservers:\r\n  own:\r\n    url: x\r\nc: *x\r\n',
  'servers:\n  own:\n    note: |\n      block\n',
];

const TOML_FILES = [
  '',
  '\n',
  '# only a comment',
  'model = "o"\n',
  'model = "o"',
  'a = """\n[servers.x]\n"""\n[servers.own]\nurl = "x" # mine\nargs = [\n  "a", # one\n  "b",\n]\n\n[other."k.e.y"]\nx = { y = 1, z = [1, 2] }\nd = 1979-05-27 07:32:00\n',
  "[servers]\n[servers.own]\r\nurl = 'x'\r\n",
  '[[list]]\na = 1\n[[list]]\na = -1.5e3\n\n\n',
];

const cases: readonly [string, ConfigEditor, readonly string[], (text: string) => unknown][] = [
  ['JSON', jsonEditor, JSON_FILES, (text) => parseJsonc(text, [], { allowTrailingComma: true })],
  ['YAML', yamlEditor, YAML_FILES, (text) => parseYaml(text)],
];

describe.each(cases)('entries in %s', (_format, editor, files, parse) => {
  it.each(files)('are added beside what is there: %j', (text) => {
    const texts = play(editor, text, ['one', 'two.x'], []);
    const before = (text.trim() === '' ? {} : (parse(text) ?? {})) as Record<string, object>;
    const own = before[KEY] ?? {};
    expect(parse(texts[1] ?? '')).toEqual({
      ...before,
      [KEY]: { ...own, one: entryOf('one'), 'two.x': entryOf('two.x') },
    });
    for (const line of text.split(/\r?\n/)) {
      const comment = /(?:\/\/|#)[^\r\n]*/.exec(line)?.[0].trim() ?? '';
      expect(texts[1]).toContain(comment);
    }
    expect(editor.find(texts[1] ?? '', KEY, 'one')).toEqual(entryOf('one'));
    expect(editor.find(texts[1] ?? '', KEY, 'three')).toBeUndefined();
  });
});

describe.each([
  ...cases,
  ['TOML', tomlEditor, TOML_FILES, () => undefined] as const,
])('entries in %s, taken out', (_format, editor, files) => {
  it(`${proves('K-1-26')} leave the file byte for byte as it was, in whatever order`, () => {
    const names = ['one', 'two.x', 'three', 'four'];
    const orders = fc.shuffledSubarray(names, { minLength: 1, maxLength: 4 });
    const property = fc.property(
      fc.constantFrom(...files),
      orders,
      fc.infiniteStream(fc.nat()),
      (text, added, keys) => {
        const removed = added
          .map((name) => ({ name, at: keys.next().value ?? 0 }))
          .sort((a, b) => a.at - b.at)
          .map(({ name }) => name);
        expect(play(editor, text, added, removed).at(-1)).toBe(text);
      },
    );
    fc.assert(property, { numRuns: 400 });
  });
});

describe('an entry that is written again', () => {
  it.each([
    ['JSON', jsonEditor, JSON_FILES],
    ['YAML', yamlEditor, YAML_FILES],
    ['TOML', tomlEditor, TOML_FILES],
  ] as const)('has the new URL, and goes without a trace: %s', (_format, editor, files) => {
    for (const text of files) {
      let now = editor.add({ text, record: EMPTY, key: KEY, name: 'one', entry: entryOf('one') });
      now = editor.add({ ...now, key: KEY, name: 'two', entry: entryOf('two') });
      now = editor.add({ ...now, key: KEY, name: 'one', entry: { type: 'sse', url: 'http://other/' } });
      expect(editor.find(now.text, KEY, 'one')).toMatchObject({ url: 'http://other/' });
      now = editor.remove(now.text, now.record, KEY, 'one');
      now = editor.remove(now.text, now.record, KEY, 'two');
      expect(now.text).toBe(text);
    }
  });
});

describe('an entry that somebody changed', () => {
  it('goes with what was added to it, and nothing else', () => {
    const json = jsonEditor.add({
      text: '{"a": 1}',
      record: EMPTY,
      key: KEY,
      name: 'one',
      entry: entryOf('one'),
    });
    const changed = json.text.replace('"http"', '"http", "headers": {"x": "y"}');
    expect(jsonEditor.remove(changed, json.record, KEY, 'one').text).toBe('{"a": 1}');

    const yaml = yamlEditor.add({
      text: 'a: 1\n',
      record: EMPTY,
      key: KEY,
      name: 'one',
      entry: entryOf('one'),
    });
    const edited = yaml.text.replace('type: http\n', 'type: http\n    timeout: 5\n');
    expect(yamlEditor.remove(`${edited}b: 2\n`, yaml.record, KEY, 'one').text).toBe('a: 1\nb: 2\n');

    const toml = tomlEditor.add({
      text: 'a = 1\n',
      record: EMPTY,
      key: KEY,
      name: 'one',
      entry: entryOf('one'),
    });
    const more = `${toml.text}timeout = 5\n[servers.one.env]\nx = "y"\n[z]\nb = 2\n`;
    expect(tomlEditor.remove(more, toml.record, KEY, 'one').text).toBe('a = 1\n\n[z]\nb = 2\n');
  });

  it('is not looked for when it is gone', () => {
    const json = jsonEditor.add({ text: '{}', record: EMPTY, key: KEY, name: 'one', entry: entryOf('one') });
    expect(jsonEditor.remove('{"other": true}', json.record, KEY, 'one').text).toBe('{"other": true}');
    expect(tomlEditor.remove('x = 1\n', json.record, KEY, 'one').text).toBe('x = 1\n');
    expect(yamlEditor.remove('x: 1\n', json.record, KEY, 'one').text).toBe('x: 1\n');
  });
});

describe('a file that is not understood', () => {
  it.each([
    [jsonEditor, '{"servers": {'],
    [jsonEditor, '[]'],
    [jsonEditor, '{"servers": []}'],
    [jsonEditor, '{"servers": {}, "servers": {}}'],
    [yamlEditor, 'a: [1'],
    [yamlEditor, '- a\n'],
    [yamlEditor, 'servers: [a]\n'],
    [yamlEditor, 'a: 1\n---\nb: 2\n'],
    [yamlEditor, '{a: 1}\n'],
    [tomlEditor, 'a = \n'],
    [tomlEditor, 'servers = { own = { url = "x" } }\n'],
    [tomlEditor, '[[servers]]\nname = "x"\n'],
    [tomlEditor, '[a\n'],
    [tomlEditor, 'a = "x\n'],
  ])('is refused: %#', (editor, text) => {
    const edit = { text, record: EMPTY, key: KEY, name: 'one', entry: entryOf('one') };
    expect(() => editor.add(edit)).toThrow(UneditableFile);
  });
});
