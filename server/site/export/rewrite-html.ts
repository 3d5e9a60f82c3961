import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { rewriteCss } from './rewrite-css.ts';

/** Rewrites a root-relative link: with path, query and fragment as it stood in the page. */
export type RewriteLink = (link: string) => string;

const LINKS = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'poster',
  'data',
  'cite',
  'manifest',
  'xlink:href',
]);
const LISTS = new Set(['srcset', 'imagesrcset']);
/** Members of the page's own script, by what they are called. */
const DATA_LINK = /^data-(?:[a-z-]+-)?(?:href|src|url)$/;
/** `<meta>` whose content is a link: any other may hold text of an entry that only looks like one. */
const META_LINK = /^(?:og|twitter):(?:image|url|video|audio)(?::(?:url|src|secure_url))?$/;
const TEXT_MODES = new Map<string, Tokenizer['state']>([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['style', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['textarea', TokenizerMode.RCDATA],
  ['title', TokenizerMode.RCDATA],
]);

interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Rewrites every root-relative link of a page, in attributes and styles; all else stays byte for byte. */
export function rewriteHtml(html: string, rewrite: RewriteLink): string {
  const changes: Change[] = [];
  let inStyle = false;
  const ignore = () => {};
  const onText = ({ location }: Token.CharacterToken) => {
    if (!inStyle || !location) return;
    const { startOffset: start, endOffset: end } = location;
    changes.push({ start, end, text: rewriteCss(html.slice(start, end), rewrite) });
  };
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: (tag) => {
        tokenizer.state = TEXT_MODES.get(tag.tagName) ?? tokenizer.state;
        inStyle = tag.tagName === 'style';
        for (const change of changesOf(tag, rewrite)) changes.push(change);
      },
      onEndTag: () => {
        inStyle = false;
      },
      onCharacter: onText,
      onWhitespaceCharacter: onText,
      onNullCharacter: ignore,
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
    },
  );
  tokenizer.write(html, true);
  return applyChanges(html, changes);
}

function* changesOf(tag: Token.TagToken, rewrite: RewriteLink): Generator<Change> {
  for (const { name, value } of tag.attrs) {
    const place = tag.location?.attrs?.[name];
    const written = rewriteValue(tag, name, value, rewrite);
    if (!place || written === value) continue;
    const text = `${name}="${written.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
    yield { start: place.startOffset, end: place.endOffset, text };
  }
}

function rewriteValue(tag: Token.TagToken, name: string, value: string, rewrite: RewriteLink): string {
  if (LINKS.has(name) || DATA_LINK.test(name) || (name === 'content' && isLinkOfMeta(tag)))
    return isRootRelative(value) ? rewrite(value) : value;
  if (LISTS.has(name))
    return value
      .split(',')
      .map((item) =>
        item.replace(/^(\s*)(\/(?!\/)\S*)/, (_, blanks: string, link: string) => blanks + rewrite(link)),
      )
      .join(',');
  return name === 'style' ? rewriteCss(value, rewrite) : value;
}

function isLinkOfMeta({ tagName, attrs }: Token.TagToken): boolean {
  return (
    tagName === 'meta' &&
    attrs.some(({ name, value }) => /^(?:name|property)$/.test(name) && META_LINK.test(value))
  );
}

function isRootRelative(value: string): boolean {
  return value.startsWith('/') && !value.startsWith('//');
}

function applyChanges(html: string, changes: readonly Change[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text } of changes) {
    pieces.push(html.slice(at, start), text);
    at = end;
  }
  return pieces.join('') + html.slice(at);
}
