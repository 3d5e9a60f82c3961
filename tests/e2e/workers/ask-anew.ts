import { request } from 'node:http';

export interface Answered {
  readonly status: number | undefined;
  readonly text: string;
}

/** Asks on a connection of its own, so that any of the workers may get it. */
export function askAnew(url: string, method = 'GET', body?: object): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json' };
    const asked = request(url, { agent: false, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.once('end', () => resolve({ status: response.statusCode, text }));
    });
    asked.setTimeout(15_000, () => asked.destroy(new Error(`${method} ${url} was not answered`)));
    asked.once('error', reject);
    asked.end(body && JSON.stringify(body));
  });
}

export function askOften(url: string, times: number): Promise<Answered[]> {
  return Promise.all(Array.from({ length: times }, () => askAnew(url)));
}
