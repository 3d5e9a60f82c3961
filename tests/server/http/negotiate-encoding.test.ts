import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseEncoding } from '../../../server/http/negotiate-encoding.ts';

describe('chooseEncoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=0, br;q=0', 'identity'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['GZip ; Q=0.3', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['identity', 'identity'],
    ['identity;q=1, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity;q=0', 'identity'],
    ['deflate', 'identity'],
    ['gzip;q=2', 'identity'],
    ['gzip;q=', 'identity'],
    ['x-gzip', 'gzip'],
    [',,gzip,,', 'gzip'],
    ['brotli, gzipped', 'identity'],
  ])('answers %j with %s', (header, encoding) => {
    expect(chooseEncoding(header)).toBe(encoding);
    expect(chooseEncoding(header)).toBe(encoding);
  });

  it('takes the best of what a client weighs, brotli before gzip before none', () => {
    const quality = fc.option(fc.integer({ min: 0, max: 1000 }), { nil: undefined });
    fc.assert(
      fc.property(quality, quality, quality, quality, (br, gzip, identity, any) => {
        const listed = Object.entries({ gzip, identity, '*': any, br }).filter(([, q]) => q !== undefined);
        const header = listed.map(([name, q]) => `${name};q=${((q ?? 0) / 1000).toFixed(3)}`).join(', ');
        const weights = { br: br ?? any ?? 0, gzip: gzip ?? any ?? 0, identity: identity ?? 0 };
        const best = Math.max(...Object.values(weights));
        const naive =
          weights.br === best && best > 0 ? 'br' : weights.gzip === best && best > 0 ? 'gzip' : 'identity';
        expect(chooseEncoding(header), header).toBe(naive);
      }),
    );
  });

  it('never throws, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(['br', 'gzip', 'identity']).toContain(chooseEncoding(header));
      }),
    );
  });
});
