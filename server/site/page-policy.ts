import { hash } from 'node:crypto';
import { writeSitePolicy } from './site-policy.ts';

const INLINE = /<(script|style)(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/\1>/g;

/** The Content-Security-Policy of a page of the guides: it allows the very scripts and styles it holds and no others. */
export function writePagePolicy(html: string): string {
  const sources = { script: new Set<string>(), style: new Set<string>() };
  for (const [, tag, attributes = '', text = ''] of html.matchAll(INLINE)) {
    if (tag === 'script' && /\btype="application\/(?:ld\+)?json"/.test(attributes)) continue;
    sources[tag === 'style' ? 'style' : 'script'].add(`'sha256-${hash('sha256', text, 'base64')}'`);
  }
  return writeSitePolicy({
    scripts: [...sources.script],
    styles: [...sources.style],
    // The highlighter and the outline of the guides set colours and depths of elements.
    styleAttributes: true,
    // The search of the guides.
    wasm: true,
  });
}
