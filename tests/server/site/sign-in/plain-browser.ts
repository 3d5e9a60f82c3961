import { readSetCookie } from './read-set-cookie.ts';

type Answer = (request: Request) => Response | Promise<Response>;

export interface Visit {
  readonly method?: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Page {
  /** Where it came from, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What of a browser a sign-in needs: cookies by host, and redirects one after the other. */
export class PlainBrowser {
  readonly #site: string;
  readonly #answer: Answer;
  /** By origin, then by name. */
  readonly jar = new Map<string, Map<string, string>>();
  /** `Set-Cookie` values of the site, in order. */
  readonly received: string[] = [];

  /** @param answer what the site answers with; every other origin is asked over the network */
  constructor(site: string, answer: Answer) {
    this.#site = site;
    this.#answer = answer;
  }

  /** The cookies of the site by name. */
  get cookies(): Map<string, string> {
    return this.#cookiesOf(this.#site);
  }

  /** Asks one address, without following where it leads. */
  async ask(url: string, { method, form, headers = {} }: Visit = {}): Promise<Page> {
    const { origin } = new URL(url);
    const cookies = [...this.#cookiesOf(origin)].map(([name, value]) => `${name}=${value}`).join('; ');
    const request = new Request(url, {
      method: method ?? (form ? 'POST' : 'GET'),
      redirect: 'manual',
      headers: { ...(cookies === '' ? {} : { Cookie: cookies }), ...headers },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });
    const response = await (origin === this.#site ? this.#answer(request) : fetch(request));
    for (const line of response.headers.getSetCookie()) this.#keep(origin, line);
    return { url, status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Asks an address and follows redirects, to the last page or to one that starts with `until`. */
  async visit(url: string, how: Visit = {}, until?: string): Promise<Page> {
    let page = await this.ask(url, how);
    for (let hops = 0; hops < 12; hops += 1) {
      const location = page.headers.get('location');
      if (location === null) return page;
      const next = new URL(location, page.url).href;
      if (until !== undefined && next.startsWith(until)) return { ...page, url: next };
      page = await this.ask(next);
    }
    throw new Error(`redirects without end, at ${page.url}`);
  }

  #cookiesOf(origin: string): Map<string, string> {
    const known = this.jar.get(origin) ?? new Map<string, string>();
    this.jar.set(origin, known);
    return known;
  }

  #keep(origin: string, line: string): void {
    if (origin === this.#site) this.received.push(line);
    const { name, value, attributes } = readSetCookie(line);
    const gone =
      attributes.get('max-age') === '0' || Date.parse(attributes.get('expires') ?? '') < Date.now();
    if (gone) this.#cookiesOf(origin).delete(name);
    else this.#cookiesOf(origin).set(name, value);
  }
}
