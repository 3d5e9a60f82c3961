import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { RPC } from '../../../cli/proxy/rpc-answer.ts';
import { CODES } from '../../../cli/proxy/stdio/codes.ts';
import { runCommandLine } from '../../../cli/run-command-line.ts';
import { Interruption } from '../../../cli/workloads/interruption.ts';
import { linkErrorCode } from '../../../site/references/errors/error-pages.ts';
import { findProxyAnswers } from '../../../site/references/errors/find-proxy-answers.ts';
import { listErrorCodes } from '../../../site/references/errors/list-error-codes.ts';
import { loadProgram } from '../../../site/references/source-code/load-program.ts';

const program = loadProgram();
const codes = listErrorCodes(program);

it('knows every code that is written where an error is made', () => {
  const known = new Set(codes.map(({ code }) => code));
  const written = program.files.flatMap((file) =>
    [
      ...readFileSync(file.fileName, 'utf8').matchAll(
        /new (?:BerthError|HttpError|ConfigError)\(\s*(?:\d{3},\s*)?'(\w+)'|refuseWorld\(\s*'(\w+)'/g,
      ),
    ].map(([, code, world]) => code ?? world ?? ''),
  );
  expect(written.length).toBeGreaterThan(300);
  expect(written.filter((code) => !known.has(code))).toEqual([]);
});

it('tells status, exit code, words and advice of a code', () => {
  const find = (code: string) => codes.find((one) => one.code === code);
  expect(find('limit_invalid')).toMatchObject({ area: 'http', statuses: [400], exitCodes: [] });
  expect(find('claims_not_subset')).toMatchObject({
    statuses: [403],
    files: ['server/admin/declared-access.ts', 'server/admin/publish-entry.ts'],
  });
  expect(find('usage_invalid')).toMatchObject({ area: 'commands', statuses: [], exitCodes: [2] });
  expect(find('source_git_auth')).toMatchObject({ area: 'sources', exitCodes: [1] });
  expect(find('database_unreachable')).toMatchObject({ area: 'service', exitCodes: [1] });
  expect(find('engine_unavailable')).toMatchObject({ area: 'run', exitCodes: [1] });
});

it('says something about every code', () => {
  expect(codes.filter(({ says, about }) => says.length + about.length === 0)).toEqual([]);
  const silent = codes.filter(({ says }) => says.length === 0).map(({ code }) => code);
  expect(silent).toContain('config_invalid');
});

it('finds codes that are put together, passed through functions and given another beginning', () => {
  const saysOf = (code: string) => codes.find((one) => one.code === code)?.says.map(({ message }) => message);
  expect(saysOf('server_not_found')?.join()).toContain('There is no such server');
  expect(saysOf('skill_not_found')?.join()).toContain('There is no such skill');
  expect(saysOf('registry_config_owned')).toHaveLength(1);
  expect(saysOf('store_write_failed')?.join()).toContain('cannot be written');
  expect(saysOf('source_timeout')).toContain('{host} did not answer in time.');
  expect(saysOf('volume_missing')).toBeDefined();
});

it('gives the exit codes that commands really end with', async () => {
  const terminal = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env: {},
  };
  const usage = await runCommandLine(['no-such-command'], terminal);
  expect(codes.find(({ code }) => code === 'usage_invalid')?.exitCodes).toEqual([usage]);
  const ends = ['SIGHUP', 'SIGINT', 'SIGTERM'].map((signal) => new Interruption(signal).exitCode);
  expect(codes.find(({ code }) => code === 'interrupted')?.exitCodes).toEqual([1, ...ends]);
});

it('has every JSON-RPC code of the proxy, with the HTTP status and what is said', () => {
  const answers = findProxyAnswers(program);
  const found = new Set<number>(answers.map(({ code }) => code));
  expect([...Object.values(RPC), ...Object.values(CODES)].filter((code) => !found.has(code))).toEqual([]);
  expect(answers).toContainEqual({
    code: -32602,
    status: undefined,
    message: 'Unknown tool: {tool}',
    reason: '',
  });
  expect(answers).toContainEqual(
    expect.objectContaining({ code: RPC.unavailable, status: 503, message: 'The server is not available.' }),
  );
  expect(answers.find(({ reason }) => reason === 'denied_by_policy')).toMatchObject({
    code: -32003,
    status: 403,
  });
});

it('refuses a link to a code that nothing throws', () => {
  expect(() => linkErrorCode(codes, 'never_thrown')).toThrow('no error has the code never_thrown');
});
