import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { followLog, readLogTail, sizeOfLog } from '../../../cli/workloads/read-log.ts';
import { RotatingLog } from '../../../cli/workloads/rotating-log.ts';
import { proves } from '../../requirements/proves.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('RotatingLog', () => {
  it(`${proves('K-3-15')} moves a full file aside and keeps three`, () => {
    const path = join(makeDirectory(), 'logs', 'server.log');
    const log = new RotatingLog(path, { maxBytes: 10 });
    for (const line of ['one\n', 'two\n', 'three\n', 'four\n', 'five\n', 'six\n']) log.write(line);
    log.close();
    expect(readFileSync(path, 'utf8')).toBe('six\n');
    expect(readFileSync(`${path}.1`, 'utf8')).toBe('four\nfive\n');
    expect(readFileSync(`${path}.2`, 'utf8')).toBe('three\n');
    expect(existsSync(`${path}.3`)).toBe(false);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it(`${proves('K-3-15')} holds 10 MB in a file unless told otherwise`, () => {
    const path = join(makeDirectory(), 'server.log');
    const log = new RotatingLog(path);
    const piece = Buffer.alloc(1024 * 1024, 'x');
    for (let written = 0; written < 10; written++) log.write(piece);
    expect(existsSync(`${path}.1`)).toBe(false);
    log.write('y');
    expect(statSync(`${path}.1`).size).toBe(10 * 1024 * 1024);
    log.close();
  });

  it('goes on where an earlier process ended', () => {
    const path = join(makeDirectory(), 'server.log');
    for (const line of ['before\n', 'after\n']) {
      const log = new RotatingLog(path);
      log.write(line);
      log.close();
    }
    expect(readFileSync(path, 'utf8')).toBe('before\nafter\n');
  });
});

describe('readLogTail', () => {
  it('reads over the files that were moved aside', async () => {
    const path = join(makeDirectory(), 'server.log');
    const log = new RotatingLog(path, { maxBytes: 8 });
    for (const line of ['1\n', '2\n', '3\n', '4\n', '5\n', '6\n']) log.write(line);
    log.close();
    expect(await readLogTail(path, 4)).toBe('3\n4\n5\n6');
    expect(await readLogTail(path, 1)).toBe('6');
    expect(await readLogTail(path, 0)).toBe('');
    expect(await readLogTail(path, Number.POSITIVE_INFINITY)).toBe('1\n2\n3\n4\n5\n6');
  });

  it('is empty where there is no log', async () => {
    expect(await readLogTail(join(makeDirectory(), 'server.log'), 5)).toBe('');
  });
});

describe('followLog', () => {
  it('reports every byte, also over a rotation', async () => {
    const path = join(makeDirectory(), 'server.log');
    const log = new RotatingLog(path, { maxBytes: 12 });
    log.write('old\n');
    const end = new AbortController();
    let seen = '';
    const following = followLog(path, await sizeOfLog(path), (piece) => (seen += piece), end.signal);
    log.write('new 1\n');
    await waitUntil(() => seen.includes('new 1'), 'the first line');
    log.write('new 2\n');
    await waitUntil(() => seen.includes('new 2'), 'the line after the rotation');
    end.abort();
    await following;
    log.close();
    expect(seen).toBe('new 1\nnew 2\n');
  });
});
