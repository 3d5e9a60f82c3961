import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openBuiltSite } from '../../../server/site/built-site.ts';
import { openPage } from './open-page.ts';

/** Compressed, in bytes. */
const MOST_SCRIPT = 5_000;
const MOST_STYLE = 15_000;

describe('what a page loads', () => {
  it.each([
    '/',
    '/catalog/company',
    '/catalog/company/servers/io.acme/notes',
    '/account',
  ])('is little for %s, and all of it is there', async (path) => {
    const [site, { elements }] = await Promise.all([openBuiltSite(), openPage(path)]);
    const weigh = async (files: readonly string[]) => {
      let bytes = 0;
      for (const file of new Set(files)) {
        const { body } = (await site?.readFile(file)) ?? { body: undefined };
        expect(body, file).toBeDefined();
        bytes += body === undefined ? 0 : gzipSync(body).byteLength;
      }
      return bytes;
    };
    const scripts = elements.flatMap(({ name, attributes }) =>
      name === 'script' ? (attributes.src ?? []) : [],
    );
    const styles = elements.flatMap(({ attributes }) =>
      attributes.rel === 'stylesheet' ? (attributes.href ?? []) : [],
    );
    expect(Math.min(scripts.length, styles.length)).toBeGreaterThan(0);
    expect(await weigh(scripts)).toBeLessThan(MOST_SCRIPT);
    expect(await weigh(styles)).toBeLessThan(MOST_STYLE);
  });
});
