import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../cli/engine/engine.ts';
import { followGateway, readGatewayLine } from '../../../cli/isolation/follow-gateway.ts';
import { READY_LINE } from '../../../cli/isolation/gateway-script.ts';
import { proves } from '../../requirements/proves.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('readGatewayLine', () => {
  it.each([
    [
      'berth-egress TCP_DENIED 403:BERTH_HOST 403 CONNECT example.org 443',
      'egress to example.org:443 not in the profile',
    ],
    [
      'berth-egress TCP_DENIED 403:BERTH_PRIVATE 403 GET 10.0.0.1 80',
      'egress to 10.0.0.1:80 not in the profile: private address',
    ],
    [
      'berth-egress TCP_DENIED 403:BERTH_IPV6 403 CONNECT %5B::1%5D 80',
      'egress to [::1]:80 not in the profile: IPv6 is shut',
    ],
    [
      'berth-egress TCP_DENIED/403 ERR_ACCESS_DENIED 403 GET x%0Ay 80',
      'egress to x%0Ay:80 not in the profile',
    ],
  ])(`${proves('K-4-16')} reads %s`, (line, sentence) => {
    expect(readGatewayLine(line)).toMatchObject({ sentence });
  });

  it.each([
    '',
    'berth-egress TCP_MISS - 200 GET example.org 80',
    'berth-egress',
    'berth-egress TCP_DENIED',
    'something else',
  ])('takes %j for no refusal', (line) => {
    expect(readGatewayLine(line)).toBeUndefined();
  });
});

describe('followGateway', () => {
  const open = async () => {
    const output = new PassThrough();
    const said: string[] = [];
    const refused: string[] = [];
    const engine: Pick<Engine, 'followLogs'> = { followLogs: async () => output };
    const followed = await followGateway(
      engine as Engine,
      'abcdef',
      (level, _, message) => said.push(`${level} ${message}`),
      ({ sentence }) => refused.push(sentence),
    );
    return { output, said, refused, followed };
  };

  it('is ready when the gateway says so, and counts lines however they are cut', async () => {
    const { output, refused, followed } = await open();
    output.write(READY_LINE.slice(0, 5));
    output.write(`${READY_LINE.slice(5)}\nberth-egress TCP_DENIED 403:BERTH_HOST 403 GET a.exam`);
    await followed.ready;
    expect(refused).toEqual([]);
    output.write('ple 80\n');
    await waitUntil(() => refused.length === 1, 'a refusal');
    expect(followed.ended()).toBe(false);
    followed.stop();
    expect(followed.ended()).toBe(true);
  });

  it('says what the gateway said last when it ends before it is ready', async () => {
    const { output, said, followed } = await open();
    output.end('berth-gateway lacks squid\n');
    await expect(followed.ready).rejects.toThrow('berth-gateway lacks squid');
    expect(said).toEqual(['error berth-gateway lacks squid']);
  });
});
