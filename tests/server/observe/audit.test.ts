import { chmod, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Audit, createAudit } from '../../../server/observe/audit.ts';
import type { AuditEvent } from '../../../server/observe/audit-event.ts';
import type { LineOutput } from '../../../server/observe/line-output.ts';
import { createLog } from '../../../server/observe/log.ts';
import { type AuditConfig, auditSchema } from '../../../sources/config/schema.ts';
import { proves } from '../../requirements/proves.ts';

const event: AuditEvent = { type: 'server.list', outcome: 'success', remoteAddress: '192.0.2.1' };
const named = (resourceName: string): AuditEvent => ({ ...event, resourceName });
const config = (rest: Partial<AuditConfig> = {}) => auditSchema.parse({ enabled: true, ...rest });

let dir: string;
let messages: string[];
let log: ReturnType<typeof createLog>;
const open: Audit[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'berth-audit-'));
  messages = [];
  log = createLog({ output: { write: (line) => messages.push(JSON.parse(line).msg) } });
});
afterEach(async () => {
  for (const audit of open.splice(0)) await audit.close();
  await rm(dir, { recursive: true });
});

async function start(settings: AuditConfig, output?: LineOutput): Promise<Audit> {
  const audit = await createAudit(settings, { log, baseDir: dir, ...(output ? { output } : {}) });
  open.push(audit);
  return audit;
}

const namesIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).target.resource_name);
const namesOf = async (file: string) => namesIn(await readFile(join(dir, file), 'utf8'));

/** An output that takes as many bytes as it is allowed to, then fails as a full disk does. */
function limitedOutput() {
  const state = { room: Number.POSITIVE_INFINITY, text: '', reopened: 0 };
  const output: LineOutput = {
    async write(bytes) {
      if (state.room <= 0)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      const taken = bytes.subarray(0, state.room);
      state.room -= taken.byteLength;
      state.text += Buffer.from(taken).toString();
      return taken.byteLength;
    },
    async reopen() {
      state.text = '';
      state.reopened++;
    },
    close: () => Promise.resolve(),
  };
  return { state, output };
}

describe('createAudit', () => {
  it(`${proves('C-2-66')} wants and writes nothing when it is off`, async () => {
    for (const settings of [
      undefined,
      auditSchema.parse({ enabled: false, logFile: '/nowhere/audit.log' }),
    ]) {
      const audit = await createAudit(settings, { log });
      expect(audit.wants('server.list')).toBe(false);
      audit.record(event);
      await audit.reopen();
      await audit.close();
    }
  });

  it(`${proves('C-2-66', 'C-11-12', 'C-12.13-02')} writes a file only its owner may read, within a second, in order, each event under its own id`, async () => {
    const audit = await start(config({ logFile: 'audit.log' }));
    for (let i = 0; i < 1200; i++) audit.record(named(`n${i}`));
    await vi.waitFor(async () => expect(await namesOf('audit.log')).toHaveLength(1200), {
      timeout: 1000,
      interval: 20,
    });
    expect(await namesOf('audit.log')).toEqual(Array.from({ length: 1200 }, (_, i) => `n${i}`));
    expect((await stat(join(dir, 'audit.log'))).mode & 0o777).toBe(0o600);
    const lines = (await readFile(join(dir, 'audit.log'), 'utf8')).trimEnd().split('\n');
    expect(new Set(lines.map((line) => JSON.parse(line).audit_id)).size).toBe(1200);
  });

  it('tells the time an event was recorded, not written', async () => {
    const { state, output } = limitedOutput();
    let now = 1000;
    const audit = await createAudit(config(), { log, output, now: () => now, newId: () => 'id' });
    audit.record(event);
    now = 900_000;
    await audit.close();
    expect(JSON.parse(state.text)).toMatchObject({ audit_id: 'id', logged_at: '1970-01-01T00:00:01.000Z' });
  });

  it(`${proves('C-11-12')} appends to what is there and takes it away from other readers`, async () => {
    const file = join(dir, 'audit.log');
    await writeFile(file, '');
    await chmod(file, 0o644);
    for (const name of ['a', 'b']) {
      const audit = await createAudit(config({ logFile: file }), { log });
      audit.record(named(name));
      await audit.close();
    }
    expect(await namesOf('audit.log')).toEqual(['a', 'b']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('refuses to start without the directory, and names the file', async () => {
    const starting = createAudit(config({ logFile: 'missing/audit.log' }), { log, baseDir: dir });
    await expect(starting).rejects.toMatchObject({
      code: 'audit_log_unavailable',
      at: { file: join(dir, 'missing/audit.log') },
    });
  });

  it(`${proves('C-2-67')} writes what eventTypes names and excludeEventTypes does not`, async () => {
    const eventTypes = ['server.list', 'server.read', 'made.up'];
    const audit = await start(
      config({ logFile: 'audit.log', eventTypes, excludeEventTypes: ['server.read'] }),
    );
    expect([audit.wants('server.list'), audit.wants('server.read'), audit.wants('user.info')]).toEqual([
      true,
      false,
      false,
    ]);
    audit.record(named('kept'));
    audit.record({ ...named('excluded'), type: 'server.read' });
    audit.record({ ...named('not named'), type: 'user.info' });
    await audit.close();
    expect(await namesOf('audit.log')).toEqual(['kept']);
  });

  it('continues in a new file after a rotation, with nothing lost between', async () => {
    const audit = await start(config({ logFile: 'audit.log' }));
    audit.record(named('before'));
    await rename(join(dir, 'audit.log'), join(dir, 'audit.log.1'));
    await audit.reopen();
    audit.record(named('after'));
    await audit.close();
    expect(await namesOf('audit.log.1')).toEqual(['before']);
    expect(await namesOf('audit.log')).toEqual(['after']);
  });

  it('keeps the open file when the new one cannot be opened', async () => {
    const { state, output } = limitedOutput();
    const audit = await start(config(), { ...output, reopen: () => Promise.reject(new Error('EACCES')) });
    await audit.reopen();
    audit.record(named('a'));
    await audit.close();
    expect(namesIn(state.text)).toEqual(['a']);
    expect(messages).toEqual(['The audit log cannot be reopened; the open file is kept']);
  });

  it('keeps events while the disk is full, says so once, and writes every line whole afterwards', async () => {
    const { state, output } = limitedOutput();
    state.room = 150;
    const audit = await start(config(), output);
    for (const name of ['a', 'b', 'c']) audit.record(named(name));
    await vi.waitFor(() => expect(messages).toEqual(['The audit log cannot be written; retrying']), {
      timeout: 2000,
    });
    audit.record(named('d'));
    state.room = Number.POSITIVE_INFINITY;
    await vi.waitFor(() => expect(messages).toHaveLength(2), { timeout: 3000 });
    expect(namesIn(state.text)).toEqual(['a', 'b', 'c', 'd']);
    expect(messages[1]).toBe('The audit log can be written again');
  });

  it('starts a line that a full disk cut anew in the next file', async () => {
    const { state, output } = limitedOutput();
    const audit = await start(config(), output);
    audit.record(named('a'));
    audit.record(named('b'));
    state.room = 10;
    await vi.waitFor(() => expect(messages).toHaveLength(1), { timeout: 2000 });
    const reopen = output.reopen;
    output.reopen = async () => {
      await reopen();
      state.room = Number.POSITIVE_INFINITY;
    };
    await audit.reopen();
    await audit.close();
    expect(namesIn(state.text)).toEqual(['a', 'b']);
  });

  it('drops beyond 64 MB and counts what it dropped', async () => {
    const { state, output } = limitedOutput();
    const audit = await start(config(), output);
    const requestBody = new Uint8Array(8 * 1024 * 1024);
    for (let i = 0; i < 10; i++) audit.record({ ...named(`n${i}`), requestBody });
    await audit.close();
    expect(namesIn(state.text)).toHaveLength(7);
    expect(messages).toEqual(['Audit events were dropped: too many waited']);
  });

  it('ends although the disk stays full, says how much is lost, and takes nothing more', async () => {
    const { state, output } = limitedOutput();
    state.room = 0;
    const audit = await start(config(), output);
    audit.record(event);
    await audit.close();
    audit.record(event);
    expect(messages).toEqual([
      'The audit log cannot be written; retrying',
      'Audit events could not be written before the end',
    ]);
  });

  it('writes to a real full device without throwing', async () => {
    const audit = await createAudit(config({ logFile: '/dev/full' }), { log });
    audit.record(event);
    await audit.close();
    expect(messages[0]).toBe('The audit log cannot be written; retrying');
  });
});
