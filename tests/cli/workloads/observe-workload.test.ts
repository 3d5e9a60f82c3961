import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { observeWorkload } from '../../../cli/workloads/observe-workload.ts';
import {
  identifyProcess,
  isProcessAlive,
  readProcessStart,
} from '../../../cli/workloads/process-identity.ts';
import { proves } from '../../requirements/proves.ts';
import { makeState } from './make-state.ts';

describe('observeWorkload', () => {
  it.each([
    'running',
    'starting',
    'unhealthy',
    'removing',
  ] as const)(`${proves('K-8.1-04')} shows %s without a living supervisor as an error`, (status) => {
    const dead = { pid: process.pid, startedAt: 'another boot/1' };
    const seen = observeWorkload(makeState('w', { status, supervisor: dead }));
    expect(seen.status).toBe('error');
    expect(seen.reason).toContain('supervisor');
  });

  it('believes a supervisor that lives', () => {
    expect(observeWorkload(makeState('w')).status).toBe('running');
  });

  it('leaves a stopped one stopped', () => {
    const { supervisor: _, ...state } = makeState('w', { status: 'stopped' });
    expect(observeWorkload(state).status).toBe('stopped');
  });
});

describe('isProcessAlive', () => {
  it('tells a process that was killed, and one that only has its id', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const identity = identifyProcess(child.pid);
    expect(isProcessAlive(identity)).toBe(true);
    expect(isProcessAlive({ ...identity, startedAt: 'before' })).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isProcessAlive(identity)).toBe(false);
    expect(readProcessStart(0x7fffffff)).toBeUndefined();
  });
});
