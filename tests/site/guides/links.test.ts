import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DOCS, readGuides } from './read-guide.ts';

const LINK = /\]\(\/docs\/([^)#]*)(?:#([^)]*))?\)/g;
/** Not a page of the guides: the viewer of the API. */
const SERVED = ['api'];

it.each(readGuides(['.', 'start', 'registry']))('$page links to pages and headings that exist', ({
  text,
}) => {
  const broken = Array.from(text.matchAll(LINK)).flatMap(([link, path = '', heading]) => {
    if (SERVED.includes(path)) return [];
    const file = findPage(path);
    if (file === undefined) return [link];
    return heading === undefined || listHeadings(file).includes(heading) ? [] : [link];
  });
  expect(broken).toEqual([]);
});

function findPage(path: string): string | undefined {
  const name = join(DOCS, path);
  return [`${name.replace(/\/$/, '')}.md`, join(name, 'index.md')].find((file) => existsSync(file));
}

/** As their anchors are called. */
function listHeadings(file: string): readonly string[] {
  return Array.from(readFileSync(file, 'utf8').matchAll(/^##+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}
