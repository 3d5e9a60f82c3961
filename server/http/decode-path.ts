import { decodePercent } from './decode-percent.ts';
import { HttpError } from './problem.ts';

/**
 * Splits a raw request path into decoded segments: `/a/b%2Fc` is `['a', 'b/c']`, `/` is `['']`, and a trailing slash
 * leaves a last empty segment. Dots are plain text: nothing is resolved.
 * @param raw the path still percent-encoded, starting with `/`, without the query
 * @throws HttpError 400 `path_encoding_invalid` (contract 5)
 */
export function decodePath(raw: string): string[] {
  const segments = (raw.startsWith('/') ? raw.slice(1) : raw).split('/');
  return segments.map((segment, index) => {
    const text = decodePercent(segment);
    if (text === undefined) {
      throw new HttpError(
        400,
        'path_encoding_invalid',
        `Segment ${index + 1} of the path is not percent-encoded UTF-8. Encode it with encodeURIComponent.`,
      );
    }
    return text;
  });
}
