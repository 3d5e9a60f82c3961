import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/built-command.ts';

/** Where the pages of the documentation are. */
export const DOCS = join(ROOT, 'site', 'src', 'content', 'docs', 'docs');

/** A fenced block of a guide. */
export interface GuideBlock {
  /** Of its fence in the page, from 1. */
  readonly line: number;
  readonly language: string;
  /** What stands above the block on the page: the name of a file, or whose terminal it is. */
  readonly title: string | undefined;
  readonly code: string;
}

export interface Guide {
  /** Its path below `docs/`, such as `start/install.md`. */
  readonly page: string;
  readonly text: string;
  readonly blocks: readonly GuideBlock[];
}

/** The guides of some folders, by path. */
export function readGuides(folders: readonly string[]): readonly Guide[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(DOCS, folder))
        .filter((file) => file.endsWith('.md'))
        .map((file) => join(folder, file)),
    )
    .sort()
    .map((page) => {
      const text = readFileSync(join(DOCS, page), 'utf8');
      return { page, text, blocks: listBlocks(text) };
    });
}

/** Every fenced block of a page in its order; one inside a list loses the indentation of its fence. */
function listBlocks(text: string): readonly GuideBlock[] {
  const blocks: GuideBlock[] = [];
  let open: { line: number; indent: number; info: string; code: string[] } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^( *)```(.*)$/.exec(line);
    if (!fence) {
      open?.code.push(line.slice(0, open.indent).trim() === '' ? line.slice(open.indent) : line);
    } else if (!open) {
      open = { line: index + 1, indent: fence[1]?.length ?? 0, info: fence[2] ?? '', code: [] };
    } else {
      const [language = ''] = open.info.split(/\s/);
      const title = /\stitle="([^"]*)"/.exec(open.info)?.[1];
      blocks.push({ line: open.line, language, title, code: open.code.join('\n') });
      open = undefined;
    }
  }
  if (open) throw new Error(`line ${open.line}: the block has no end`);
  return blocks;
}
