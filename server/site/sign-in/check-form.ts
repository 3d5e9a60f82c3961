import { HttpError } from '../../http/problem.ts';
import type { Viewer } from '../site-locals.ts';
import { equalFormTokens } from './form-token.ts';

/** A form that was posted, as `FormData` and `URLSearchParams` hold it. */
export interface PostedForm {
  get(name: string): unknown;
}

/**
 * Makes sure that a form comes from a page of this site which this very session was given: its hidden field `csrf`, and
 * where the browser says it was sent from. In anonymous mode, where there are no sessions, the browser has to say so. A
 * caller that proves itself by an `Authorization` header sent the request on purpose, and needs neither.
 * @param viewer whose `csrf` the page was given
 * @param baseUrl where people reach this service
 * @throws HttpError 403 `csrf_refused`
 */
export function checkForm(
  request: Request,
  form: PostedForm,
  viewer: Pick<Viewer, 'kind' | 'csrf'>,
  baseUrl: string,
): void {
  const sender = findSender(request, baseUrl);
  if (viewer.kind === 'open') {
    if (sender === 'here') return;
  } else {
    if (request.headers.has('authorization')) return;
    if (sender !== 'elsewhere' && holdsToken(form, viewer.csrf)) return;
  }
  throw new HttpError(
    403,
    'csrf_refused',
    'This form was not sent from a page of your session. Go back, reload the page and send it again.',
  );
}

function holdsToken(form: PostedForm, csrf: string): boolean {
  const given = form.get('csrf');
  return csrf !== '' && typeof given === 'string' && equalFormTokens(given, csrf);
}

/**
 * Where a form was sent from. Browsers tell by `Sec-Fetch-Site` over https and to loopback; `Origin: null` is what they
 * send from a page whose referrer policy hides where it was.
 */
function findSender(request: Request, baseUrl: string): 'here' | 'elsewhere' | 'unknown' {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' ? 'here' : 'elsewhere';
  const origin = request.headers.get('origin');
  if (origin === null || origin === 'null') return 'unknown';
  const isOurs = origin === new URL(baseUrl).origin || origin === new URL(request.url).origin;
  return isOurs ? 'here' : 'elsewhere';
}
