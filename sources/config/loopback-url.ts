/** The URL a text holds, or undefined. */
export function readUrl(text: string | undefined): URL | undefined {
  return text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
}

/** Whether the host of a URL is this machine by its very name: `localhost`, `127.0.0.0/8` or `::1`. */
export function isLoopbackUrl(url: URL): boolean {
  const host = url.hostname.toLowerCase();
  return /^(.+\.)?localhost\.?$/.test(host) || /^127\.\d+\.\d+\.\d+$/.test(host) || host === '[::1]';
}
