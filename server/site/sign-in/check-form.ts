import { HttpError } from '../../http/problem.ts';
import type { Viewer } from '../site-locals.ts';
import { equalFormTokens } from './form-token.ts';

/** A form that was posted, as `FormData` and `URLSearchParams` hold it. */
export interface PostedForm {
  get(name: string): unknown;
}

/**
 * Makes sure that a form comes from a page of this site which this very session was given: its hidden field `csrf`, and
 * where the browser says it was sent from. A caller that proves itself by an `Authorization` header sent the request on
 * purpose, and needs no such field.
 * @param viewer whose `csrf` the page was given
 * @param baseUrl where people reach this service
 * @throws HttpError 403 `csrf_refused`
 */
export function checkForm(
  request: Request,
  form: PostedForm,
  viewer: Pick<Viewer, 'csrf'>,
  baseUrl: string,
): void {
  if (request.headers.has('authorization')) return;
  const given = form.get('csrf');
  const isKnown = viewer.csrf !== '' && typeof given === 'string' && equalFormTokens(given, viewer.csrf);
  if (isKnown && comesFromHere(request, baseUrl)) return;
  throw new HttpError(
    403,
    'csrf_refused',
    'This form was not sent from a page of your session. Go back, reload the page and send it again.',
  );
}

/**
 * Browsers send `Sec-Fetch-Site` over https and to loopback. `Origin: null` is what they send for a page that does not
 * tell where it was, as ours do not.
 */
function comesFromHere(request: Request, baseUrl: string): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = request.headers.get('origin');
  if (origin === null || origin === 'null') return true;
  return origin === new URL(baseUrl).origin || origin === new URL(request.url).origin;
}
