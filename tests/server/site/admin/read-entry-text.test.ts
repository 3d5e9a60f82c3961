import { describe, expect, it } from 'vitest';
import { readEntryText } from '../../../../server/site/admin/read-entry-text.ts';

const SERVER = { name: 'io.acme/one', description: 'One.', version: '1.0.0' };
const MARKDOWN = '---\nname: notes\ndescription: Notes.\nmetadata:\n  namespace: io.acme\n---\nText\n';

describe('the text of an entry', () => {
  it.each([
    ['JSON', 'server', JSON.stringify(SERVER), SERVER],
    ['YAML', 'server', 'name: io.acme/one\ndescription: One.\nversion: 1.0.0\n', SERVER],
    ['the body of the API', 'server', JSON.stringify({ server: SERVER }), SERVER],
    [
      'that body with claims, which stand in a field of their own',
      'server',
      JSON.stringify({ server: SERVER, claims: {} }),
      SERVER,
    ],
    ['a list, for the API to refuse', 'server', '[1]', [1]],
    [
      'an entry of the other kind, for the API to refuse',
      'skill',
      JSON.stringify({ server: SERVER }),
      { server: SERVER },
    ],
    [
      'a SKILL.md',
      'skill',
      `\n${MARKDOWN}`,
      { namespace: 'io.acme', name: 'notes', description: 'Notes.', version: '1.0.0' },
    ],
  ] as const)('is read from %s', (_, type, text, entry) => {
    expect(readEntryText(type, text)).toEqual({ ok: true, entry });
  });

  it.each([
    ['nothing', 'server', ' \n', undefined],
    ['broken JSON', 'server', '{\n "name": \n}', 3],
    ['broken YAML', 'server', 'a: b\nc: [', 2],
    ['a SKILL.md that ends early', 'skill', '---\nname: x', 1],
    ['a SKILL.md without a namespace', 'skill', MARKDOWN.replace(/metadata:\n.*\n/, ''), undefined],
  ] as const)('is refused for %s', (_, type, text, line) => {
    expect(readEntryText(type, text)).toMatchObject({
      ok: false,
      line,
      message: expect.stringMatching(/\.|YAML/),
    });
  });

  it('does not follow YAML that would grow without end', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((key, index) => `${key}: &${key} [${`*${'abcdefg'[index]},`.repeat(9)}]`),
    ];
    expect(readEntryText('server', bomb.join('\n')).ok).toBe(false);
  });
});
