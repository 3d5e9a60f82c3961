/** A page as it came back. */
export interface VisitedPage {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Its tags without the values of their attributes: what could be run is here. */
  readonly markup: string;
  /** What is to be read on it: no tags, white space as one blank. */
  readonly text: string;
}

type Fields = Readonly<Record<string, string | File>>;

/** Somebody who looks at pages with a token, or without one, and posts the forms on them. */
export class Visitor {
  readonly #url: string;
  /** What proves who it is. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(url: string, token: string | undefined) {
    this.#url = url;
    this.headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  }

  async get(path: string): Promise<VisitedPage> {
    return readPage(await fetch(this.#url + path, { headers: this.headers, redirect: 'manual' }));
  }

  /** Posts a form as a browser does; with a file among its fields as `multipart/form-data`. */
  async post(
    path: string,
    fields: Fields,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<VisitedPage> {
    return readPage(
      await fetch(this.#url + path, {
        method: 'POST',
        headers: { ...this.headers, ...headers },
        redirect: 'manual',
        body: writeForm(fields),
      }),
    );
  }

  /** Posts a form that is carried out, and opens the page it leads to. */
  async send(path: string, fields: Fields): Promise<VisitedPage> {
    const answer = await this.post(path, fields);
    const next = answer.headers.get('location');
    if (answer.status !== 303 || next === null) {
      throw new Error(`The form was answered with ${answer.status}:\n${answer.text}`);
    }
    return this.get(next);
  }
}

function writeForm(fields: Fields): FormData | URLSearchParams {
  const entries = Object.entries(fields);
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  if (texts.length === entries.length) return new URLSearchParams(texts);
  const form = new FormData();
  for (const [name, value] of entries) form.set(name, value);
  return form;
}

async function readPage(response: Response): Promise<VisitedPage> {
  const html = await response.text();
  const markup = html.replace(/="[^"]*"/g, '=""');
  return { status: response.status, headers: response.headers, html, markup, text: readText(markup) };
}

function readText(html: string): string {
  const body = html.replace(/<head>[\s\S]*?<\/head>/, '').replace(/<[^>]*>/g, ' ');
  return decodeEntities(body).replace(/\s+/g, ' ').trim();
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&#38;': '&',
  '&amp;': '&',
};

function decodeEntities(text: string): string {
  return text.replace(/&(?:lt|gt|quot|#34|#39|#38|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
