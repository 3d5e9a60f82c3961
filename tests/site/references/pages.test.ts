import { expect, it } from 'vitest';
import { anchorOf } from '../../../site/references/markdown/escape-text.ts';
import { ROOT } from '../../../site/references/root.ts';
import { readPages } from './written-pages.ts';

const pages = readPages();
const places = new Map([...pages].map(([path, text]) => [addressOf(path), listAnchors(text)]));

it('gives every page a title, a description, a place and an introduction', () => {
  expect(pages.size).toBeGreaterThan(30);
  for (const [path, text] of pages) {
    expect(text, path).toMatch(/^---\ntitle: ".+"\ndescription: ".+"\nsidebar:\n {2}order: \d+\n/);
    expect(text, path).toMatch(/-->\n\n[A-Z`].+\n/);
  }
});

it('leads every link to a page and a place there', () => {
  const missing = [...pages].flatMap(([path, text]) =>
    [...text.matchAll(/\]\((\/docs\/reference\/[^)#]*|)(?:#([^)]*))?\)/g)].flatMap(
      ([link, address, anchor]) => {
        const known = places.get(address || addressOf(path));
        return known && (anchor === undefined || known.includes(anchor)) ? [] : [`${path}: ${link}`];
      },
    ),
  );
  expect(missing).toEqual([]);
});

it('names every place of a page once', () => {
  const twice = [...places].flatMap(([address, anchors]) =>
    anchors
      .filter((anchor, index) => anchors.indexOf(anchor) !== index)
      .map((anchor) => `${address}#${anchor}`),
  );
  expect(twice).toEqual([]);
});

it('holds nothing of the machine it was written on, and no table with a row too wide', () => {
  for (const [path, text] of pages) {
    expect(text.includes(ROOT), path).toBe(false);
    for (const table of text.split('\n\n').filter((block) => block.startsWith('| '))) {
      const widths = table
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split(/(?<!\\)\|/).length);
      expect(new Set(widths).size, `${path}: ${table.slice(0, 80)}`).toBe(1);
    }
  }
});

function addressOf(path: string): string {
  return `/docs/reference/${path.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '/')}`;
}

/** Headings, and places inside tables; what is code is neither. */
function listAnchors(text: string): string[] {
  const plain = text.replace(/^```[\s\S]*?^```$/gm, '');
  const headings = [...plain.matchAll(/^#{2,4} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
  return [...headings, ...[...plain.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)];
}
