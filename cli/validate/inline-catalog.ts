import { isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { Fetched } from '../../sources/kinds/fetched.ts';

/**
 * The catalog that a configuration holds in `sources[index].file.data`, so cut out that its lines are those of the
 * configuration: everything around it is blanked. Undefined when that cannot be done (an alias, or text in quotes);
 * then the lines of its entries are not those of the file.
 */
export function cutOutInline(configText: string, index: number): Fetched | undefined {
  const document = parseDocument(configText, { lineCounter: new LineCounter(), logLevel: 'silent' });
  const node = document.getIn(['sources', index, 'file', 'data'], true);
  if (!isNode(node) || !node.range) return undefined;
  const [start, end] = node.range;
  let from = start;
  if (isScalar(node)) {
    if (node.type !== 'BLOCK_LITERAL') return undefined;
    from = configText.indexOf('\n', start);
  } else if (!('items' in node)) {
    return undefined;
  }
  const text = blank(configText.slice(0, from)) + configText.slice(from, end) + blank(configText.slice(end));
  return {
    layout: 'file',
    files: [{ path: 'inline.yaml', bytes: Buffer.from(text) }],
    origin: { kind: 'file' },
    digest: '',
  };
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
