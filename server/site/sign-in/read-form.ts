import { HttpError } from '../../http/problem.ts';
import { readBody } from '../../http/read-body.ts';

/**
 * Reads a posted form of text fields.
 * @throws HttpError 415 `form_expected`; those of `readBody`
 */
export async function readForm(request: Request, maxBytes: number): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    throw new HttpError(415, 'form_expected', 'A form is expected: application/x-www-form-urlencoded.');
  }
  return new URLSearchParams(Buffer.from(await readBody(request, maxBytes)).toString('utf8'));
}
