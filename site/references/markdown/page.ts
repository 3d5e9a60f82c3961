/** One page of the references. */
export interface Page {
  /** The path below `site/src/content/docs/docs/reference/`. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** Its place in the sidebar, within its folder. */
  readonly order: number;
  /** What stands below the title: blocks of Markdown. */
  readonly blocks: readonly string[];
}

/** The Markdown file of a page, front matter included. */
export function renderPage({ title, description, order, blocks }: Page): string {
  const matter = [
    '---',
    `title: ${JSON.stringify(title)}`,
    `description: ${JSON.stringify(description)}`,
    'sidebar:',
    `  order: ${order}`,
    'editUrl: false',
    '---',
  ];
  const note =
    '<!-- Generated from the code by site/references/generate.ts: change the code, not this file. -->';
  const body = blocks.filter((block) => block !== '').join('\n\n');
  return `${matter.join('\n')}\n\n${note}\n\n${body}\n`;
}
