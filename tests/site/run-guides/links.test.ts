import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../support/built-command.ts';
import { readRunGuides } from './read-run-guides.ts';

const PAGES = join(ROOT, 'site/src/content/docs');
const guides = readRunGuides();

/** The name a heading has in an address. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

describe.each(guides)('what $page refers to', ({ text }) => {
  it('has a page behind every link', () => {
    const links = Array.from(
      text.matchAll(/\]\((\/docs\/[^)#]*)(?:#([^)]*))?\)/g),
      ([, path = '', anchor]) => ({
        path,
        anchor,
      }),
    );
    const broken = links.filter(({ path, anchor }) => {
      const file = join(PAGES, path.replace(/\/$/, ''));
      const page = [`${file}.md`, join(file, 'index.md')].find((place) => existsSync(place));
      if (page === undefined) return true;
      if (anchor === undefined) return false;
      const target = guides.find((guide) => page.endsWith(join('docs', 'docs', guide.page)));
      return !target?.text.split('\n').some((line) => line.startsWith('#') && anchorOf(line) === anchor);
    });
    expect(broken).toEqual([]);
  });

  it('names only rooms that are there', () => {
    const rooms = Array.from(text.matchAll(/`((?:sources|server|cli)\/[a-z/-]+)`/g), ([, path = '']) => path);
    expect(rooms.filter((room) => !existsSync(join(ROOT, room)))).toEqual([]);
  });
});
