import type { Writable } from 'node:stream';

/**
 * Shows the link of a login in the terminal that ran the command (contract 1), and opens it in a browser when wanted.
 * A machine without a browser is no error: the link is there.
 */
export function showLink(stream: Writable, url: string, opensBrowser: boolean): void {
  stream.write(
    `${opensBrowser ? 'Opening a browser to log in. If none opens, open' : 'Open'} this link to log in:\n  ${url}\n`,
  );
  if (!opensBrowser) return;
  void import('open')
    .then(async ({ default: open }) => {
      const browser = await open(url);
      browser.on('error', () => undefined);
      browser.unref();
    })
    .catch(() => undefined);
}
