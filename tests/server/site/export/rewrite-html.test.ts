import { describe, expect, it } from 'vitest';
import { finishPage } from '../../../../server/site/export/finish-page.ts';
import { relativeLink } from '../../../../server/site/export/relative-link.ts';
import { rewriteCss } from '../../../../server/site/export/rewrite-css.ts';
import { rewriteHtml } from '../../../../server/site/export/rewrite-html.ts';

const mark = (link: string) => `<${link}>`;

describe('links of an exported page', () => {
  it.each([
    ['<a href="/x">', '<a href="<//x>">'],
    ['<a href=/x?a=1&amp;b=2#c>', '<a href="<//x?a=1&amp;b=2#c>">'],
    ["<A HREF='/x'>", '<A href="<//x>">'],
    ['<form method="get" action="/x">', '<form method="get" action="<//x>">'],
    [
      '<img srcset="/a.png 1x, /b.png 2x" src="/a.png"/>',
      '<img srcset="<//a.png> 1x, <//b.png> 2x" src="<//a.png>"/>',
    ],
    ['<meta property="og:image" content="/x.png">', '<meta property="og:image" content="<//x.png>">'],
    ['<div data-index-url="/x.json">', '<div data-index-url="<//x.json>">'],
    ['<style>a { background: url("/x.png") }</style>', '<style>a { background: url("<//x.png>") }</style>'],
    ['<p style="background:url(/x.png)">', '<p style="background:url(<//x.png>)">'],
  ])('changes %s', (html, expected) => {
    const rewritten = rewriteHtml(html, (link) => `</${link}>`);
    expect(rewritten).toBe(expected);
  });

  it.each([
    '<a href="//other.example.com/x">',
    '<a href="https://example.com/x">',
    '<a href="x">',
    '<a href="#x">',
    '<meta name="description" content="/x">',
    '<p title="/x">/x href="/x"</p>',
    '<!-- <a href="/x"> -->',
    '<script>const a = \'<a href="/x">\';</script>',
    '<textarea><a href="/x"></textarea>',
    '<title><a href="/x"></title>',
    '<p>a < b && "c" &amp; é \u{1f600}</p>',
  ])('leaves %s as it is', (html) => {
    expect(rewriteHtml(html, mark)).toBe(html);
  });

  it('are rewritten in style sheets', () => {
    const css = '@import "/a.css"; b { c: url(/d.png) url(\'/e.png\') url(data:x) url(f.png) url(//g/h) }';
    expect(rewriteCss(css, (link) => `..${link}`)).toBe(
      '@import "../a.css"; b { c: url(../d.png) url(\'../e.png\') url(data:x) url(f.png) url(//g/h) }',
    );
  });

  it.each([
    ['/', '/', './'],
    ['/', '/a/b.css', 'a/b.css'],
    ['/a/b/', '/', '../../'],
    ['/a/b/', '/a/b/', './'],
    ['/a/b/', '/a/b/?q=1#c', './?q=1#c'],
    ['/a/b/', '/a/', '../'],
    ['/a/b/', '/a/c/d', '../c/d'],
    ['/a/b/', '/x:y/', '../../x:y/'],
    ['/', '/x:y/', './x:y/'],
    ['/a/b/', '/a/b.css', '../b.css'],
  ])('lead from %s to %s as %s', (from, to, expected) => {
    expect(relativeLink(from, to)).toBe(expected);
    const base = `https://host.example/any/sub${from}`;
    expect(new URL(relativeLink(from, to), base).href).toBe(`https://host.example/any/sub${to}`);
  });
});

describe('the policy of an exported page', () => {
  it('follows its charset, without what only a header may say', () => {
    const page = finishPage(
      '<!doctype html><head><meta charset="utf-8"><title>a</title></head>',
      mark,
      () => "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(page).toBe(
      `<!doctype html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'"><title>a</title></head>`,
    );
  });

  it('is written for the page as it is in the end', () => {
    finishPage('<head></head><a href="/x">', mark, (html) => {
      expect(html).toBe('<head></head><a href="</x>">');
      return '';
    });
  });
});
