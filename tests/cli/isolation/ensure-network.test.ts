import { describe, expect, it } from 'vitest';
import type { Engine, NetworkInfo, NetworkSpec } from '../../../cli/engine/engine.ts';
import { ensureNetwork } from '../../../cli/isolation/ensure-network.ts';
import { BerthError } from '../../../sources/errors.ts';

const SPEC: NetworkSpec = { name: 'n', labels: {}, internal: true, options: {} };
const INFO: NetworkInfo = { id: '1', name: 'n', labels: {}, subnets: [], gateways: [] };

function makeEngine(answers: readonly (string | undefined)[], known?: NetworkInfo) {
  const asked: (string | undefined)[] = [];
  const engine: Pick<Engine, 'inspectNetwork' | 'createNetwork'> = {
    inspectNetwork: async () => known,
    createNetwork: async ({ subnet }) => {
      const failure = answers[asked.push(subnet) - 1];
      if (failure !== undefined) throw new BerthError('engine_failed', failure);
      return INFO;
    },
  };
  return { engine, asked };
}

const FULL = 'could not find an available, non-overlapping IPv4 address pool among the defaults';
const TAKEN = 'Pool overlaps with other one on this address space';

describe('ensureNetwork', () => {
  it('takes the one there is', async () => {
    const { engine, asked } = makeEngine([], INFO);
    expect(await ensureNetwork(engine, SPEC)).toBe(INFO);
    expect(asked).toEqual([]);
  });

  it('chooses a small subnet when the engine has none left, until one is free', async () => {
    const { engine, asked } = makeEngine([FULL, TAKEN, undefined]);
    expect(await ensureNetwork(engine, SPEC)).toBe(INFO);
    expect(asked[0]).toBeUndefined();
    for (const subnet of asked.slice(1)) expect(subnet).toMatch(/^10\.(1[2-9]\d|2\d\d)\.\d+\.\d+\/28$/);
    expect(asked).toHaveLength(3);
  });

  it('gives up in the end, and at once when the matter is another', async () => {
    const full = makeEngine(Array.from({ length: 20 }, () => TAKEN));
    await expect(ensureNetwork(full.engine, SPEC, () => '10.200.0.0/28')).rejects.toMatchObject({
      code: 'isolation_no_subnet',
    });
    expect(full.asked.length).toBeLessThan(12);
    const broken = makeEngine(['permission denied']);
    await expect(ensureNetwork(broken.engine, SPEC)).rejects.toThrow('permission denied');
    expect(broken.asked).toHaveLength(1);
  });
});
