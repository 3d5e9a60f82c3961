import { decodePath } from '../../http/decode-path.ts';
import { ApiRefusal } from './api-refusal.ts';

/** A request for a page, read. */
export interface PageRequest {
  /** Decoded segments of the path, such as `['admin', 'sources', 'upstream']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** What was posted; undefined for a request that only reads. */
  readonly form: FormData | undefined;
}

/** @throws HttpError 400 `path_encoding_invalid`; ApiRefusal 415 for what is no form */
export async function readPageRequest(request: Request): Promise<PageRequest> {
  const url = new URL(request.url);
  return {
    path: decodePath(url.pathname.replace(/\/$/, '')),
    query: url.searchParams,
    form: request.method === 'POST' ? await readFormData(request) : undefined,
  };
}

/** The fields of a posted form, whichever of the two ways a browser sends it. */
async function readFormData(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch {
    throw new ApiRefusal(415, {
      code: 'form_expected',
      detail: 'What was sent is no form. Go back and send the form again.',
      errors: [],
    });
  }
}

/** A text field; empty when it was not sent. */
export function readText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
