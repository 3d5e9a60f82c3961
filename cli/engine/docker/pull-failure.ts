import { BerthError } from '../../../sources/errors.ts';

const DENIED =
  /unauthorized|authentication required|no basic auth|denied|forbidden|may require 'docker login'/i;
const UNKNOWN = /not found|manifest unknown|name unknown|does not exist|no such image|no matching manifest/i;
const NETWORK =
  /dial tcp|no such host|timeout|timed out|connection refused|connection reset|i\/o|network|x509|certificate|tls|EOF/i;

/**
 * Tells the ways apart in which a pull fails.
 *
 * @param text what the engine said
 * @returns BerthError `engine_image_not_found` when the registry has none (or hides it), else `engine_pull_failed`
 */
export function explainPullFailure(reference: string, text: string, cause: unknown): BerthError {
  if (UNKNOWN.test(text)) {
    const hidden = DENIED.test(text);
    return new BerthError(
      'engine_image_not_found',
      `The image registry has no image ${reference}${hidden ? ' for you' : ''}: ${text}`,
      {
        fix: hidden
          ? 'Check the name; for a private image log in to its registry with `docker login` first.'
          : 'Check the name and the tag.',
        cause,
      },
    );
  }
  const [why, fix] = DENIED.test(text)
    ? ['access was denied', 'Log in to the registry of the image with `docker login`.']
    : NETWORK.test(text)
      ? ['the image registry cannot be reached', 'Check the network and proxy of the container engine.']
      : ['the container engine failed', 'Try `docker pull` for more.'];
  return new BerthError('engine_pull_failed', `Image ${reference} was not pulled, ${why}: ${text}`, {
    fix,
    cause,
  });
}
