import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Engine, ImageInfo } from '../../../cli/engine/engine.ts';
import { findGatewayImage, GATEWAY_TAG } from '../../../cli/isolation/gateway-image.ts';
import { BerthError } from '../../../sources/errors.ts';
import { proves } from '../../requirements/proves.ts';

const makeImage = (id: string): ImageInfo => ({ id, digests: [], user: '', exposedPorts: [], labels: {} });
const away = async () => {
  throw new BerthError('engine_pull_failed', 'the registry is away');
};

describe('findGatewayImage', () => {
  it(`${proves('K-8.9-01')} runs the image that was named, by its id, and pulls it only when it is not there`, async () => {
    const here = { findImage: async () => makeImage('sha256:here') } as unknown as Engine;
    expect(await findGatewayImage(here, 'mine:1', {})).toBe('sha256:here');
    const pulled: string[] = [];
    const there = {
      findImage: async () => undefined,
      pullImage: async (reference: string) => {
        pulled.push(reference);
        return makeImage('sha256:there');
      },
    } as unknown as Engine;
    expect(await findGatewayImage(there, 'mine:1', {})).toBe('sha256:there');
    expect(pulled).toEqual(['mine:1']);
  });

  it(`${proves('K-4-05')} otherwise builds one from a base pinned by digest, through the user's proxy`, async () => {
    let dockerfile = '';
    let options: Parameters<Engine['buildImage']>[0] | undefined;
    const engine = {
      findImage: async () => undefined,
      buildImage: async (given: Parameters<Engine['buildImage']>[0]) => {
        options = given;
        dockerfile = await text(given.context);
        return makeImage('sha256:built');
      },
    } as unknown as Engine;
    const env = { HTTPS_PROXY: 'http://proxy.example:1', SECRET: 'x', no_proxy: '' };
    expect(await findGatewayImage(engine, undefined, env)).toBe('sha256:built');
    expect(dockerfile).toMatch(/FROM \S+@sha256:[0-9a-f]{64}\n/);
    expect(options).toMatchObject({ tag: GATEWAY_TAG, buildArgs: { HTTPS_PROXY: 'http://proxy.example:1' } });
    expect(Object.keys(options?.buildArgs ?? {})).toEqual(['HTTPS_PROXY']);
  });

  it.each([
    undefined,
    'mine:1',
  ])(`${proves('K-8.9-01')} says how to name another when there is none: %s`, async (given) => {
    const engine = {
      findImage: async () => undefined,
      pullImage: away,
      buildImage: away,
    } as unknown as Engine;
    await expect(findGatewayImage(engine, given, {})).rejects.toMatchObject({
      code: 'gateway_image_unavailable',
      message: expect.stringContaining('the registry is away'),
      fix: expect.stringContaining('BERTH_GATEWAY_IMAGE'),
    });
  });
});
