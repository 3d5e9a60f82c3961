import { PlainBrowser } from '../../server/site/sign-in/plain-browser.ts';
import type { Company } from './company.ts';

/** Signs a persona in without a window. @returns asks for a root-relative path with their session */
export async function signInAs(
  { service }: Company,
  persona: string | undefined,
): Promise<(path: string) => Promise<Response>> {
  const browser = new PlainBrowser(service.url, (request) => fetch(request));
  if (persona !== undefined) {
    const form = await browser.visit(`${service.url}/sign-in?return=/account`);
    const account = await browser.visit(form.url, { form: { persona, answer: 'continue' } });
    if (account.status !== 200)
      throw new Error(`${persona} could not sign in: ${account.status} ${account.text}`);
  }
  return async (path) => {
    const { status, headers, text } = await browser.ask(service.url + path);
    return new Response(status === 304 || status === 204 ? null : text, { status, headers });
  };
}
