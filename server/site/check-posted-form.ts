import { HttpError } from '../http/problem.ts';
import { checkForm } from './sign-in/check-form.ts';
import type { Viewer } from './site-locals.ts';

/**
 * Makes sure, before a page reads it, that a posted form was sent from a page of this site: by its hidden field where
 * somebody is signed in. Where everybody may do everything there is no session to tell it by; then the browser's word
 * decides, so that no other site can post through a visitor to a service only they can reach.
 * @param request whose body can still be read; it is not consumed
 * @throws HttpError 403 `csrf_refused`, 415 `form_expected`
 */
export async function checkPostedForm(request: Request, viewer: Viewer, baseUrl: string): Promise<void> {
  if (request.headers.has('authorization')) return;
  if (viewer.kind === 'signed-in') return checkForm(request, await readFields(request), viewer, baseUrl);
  const site = request.headers.get('sec-fetch-site');
  const origin = request.headers.get('origin');
  const own = [new URL(baseUrl).origin, new URL(request.url).origin];
  if (site === 'same-origin' || (site === null && (origin === null || own.includes(origin)))) return;
  throw new HttpError(403, 'csrf_refused', 'This form was not sent from a page of this service.');
}

async function readFields(request: Request): Promise<FormData> {
  try {
    return await request.clone().formData();
  } catch (cause) {
    throw new HttpError(415, 'form_expected', 'A form is expected: URL-encoded or multipart.', { cause });
  }
}
