import { type DefaultTreeAdapterTypes, parse } from 'parse5';

/** An element with its attributes and the text below it. */
export interface PageElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A page as a browser would take it apart. */
export interface PageDocument {
  readonly html: string;
  /** In order of the document. */
  readonly elements: readonly PageElement[];
  readonly text: string;
}

/** Takes a page apart. */
export function readDocument(html: string): PageDocument {
  const elements: PageElement[] = [];
  const text = collect(parse(html), elements);
  return { html, elements, text };
}

function collect(node: DefaultTreeAdapterTypes.Node, into: PageElement[]): string {
  if (node.nodeName === '#text' && 'value' in node) return node.value;
  if (!('childNodes' in node)) return '';
  const place = into.length;
  const isElement = 'attrs' in node;
  if (isElement) into.push({ name: node.tagName, attributes: {}, text: '' });
  const text = node.childNodes.map((child) => collect(child, into)).join('');
  if (isElement)
    into[place] = {
      name: node.tagName,
      attributes: Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])),
      text: text.replace(/\s+/g, ' ').trim(),
    };
  return text;
}
