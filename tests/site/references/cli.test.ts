import { expect, it } from 'vitest';
import { COMMANDS } from '../../../cli/command-table.ts';
import { describeCommands } from '../../../cli/completion/describe-commands.ts';
import { findRow, readPage, readPages } from './written-pages.ts';

it('has every command of the help in the overview', () => {
  const text = readPage('cli/index.md');
  const shown = COMMANDS.filter(({ isHidden }) => !isHidden);
  expect(shown.filter(({ path }) => !text.includes(`[\`berth ${path.join(' ')}\`](`))).toEqual([]);
});

it('has every flag that the shells complete', async () => {
  const text = [...readPages()].flatMap(([path, page]) => (path.startsWith('cli/') ? [page] : [])).join('\n');
  const commands = await describeCommands();
  const wanted = commands.flatMap(({ path, flags }) =>
    flags
      .map(({ names }) => names.find((name) => name.startsWith('--')) ?? '')
      .filter((name) => name !== '--help')
      .map((name) => `id="${path.join('-')}${name}"`),
  );
  expect(wanted.length).toBeGreaterThan(150);
  expect(wanted.filter((id) => !text.includes(id))).toEqual([]);
  // Every command is loaded.
}, 120_000);

it('shows flags of run with their defaults, by what they are about', () => {
  const text = readPage('cli/run.md');
  expect(findRow(text, '--detach-timeout VALUE')[1]).toBe(
    'how long to wait until the server answers<br>default: 5m',
  );
  expect(findRow(text, '--isolate-network')[1]).toMatch(/<br>default: true$/);
  expect(findRow(text, '-v, --volume VALUE')[1]).toBe(
    'mount host-path:container-path, read-only with :ro; repeatable',
  );
  expect(text).toContain('## What the container of the server may do and see');
  expect(text).toContain('berth run [SERVER_OR_IMAGE_OR_PROTOCOL]…');
  expect(text).toContain(
    '# A remote server, two of its tools\nberth run --tools search,fetch https://mcp.example.com/mcp',
  );
});

it('names other words for a command and leaves those for programs out', () => {
  const text = readPage('cli/mcp-servers.md');
  expect(text).toContain('Also `berth ls`.');
  expect(text).not.toContain('berth supervise');
});
