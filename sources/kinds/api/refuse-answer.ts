import { BerthError } from '../../errors.ts';

const AGAIN = 'The source is tried again at the next interval.';

/**
 * The error of an answer that is not the list that was asked for.
 *
 * @param status of the answer
 * @param url that was asked, without query
 */
export function refuseAnswer(status: number, url: string): BerthError {
  const at = { url };
  if (status === 404 || status === 410) {
    return new BerthError('source_not_found', `The registry answers ${status} at this address.`, {
      at,
      fix: 'Correct `endpoint`: it is the base below which the registry answers /v0.1/servers.',
    });
  }
  if (status === 401 || status === 403) {
    return new BerthError('source_denied', `The registry answers ${status}: access is refused.`, {
      at,
      fix: 'Give `auth` a token or client that may read this registry.',
    });
  }
  if (status === 429) {
    return new BerthError('source_unreachable', 'The registry answers 429: too many requests.', {
      at,
      fix: `Use a longer interval. ${AGAIN}`,
    });
  }
  return new BerthError('source_unreachable', `The registry answers ${status} instead of 200.`, {
    at,
    fix: `Check the registry. ${AGAIN}`,
  });
}

/** The error of an answer that is no page of a list. */
export function refusePage(page: number, url: string, what: string): BerthError {
  return new BerthError('source_invalid', `Page ${page} of the registry ${what}.`, {
    at: { url },
    fix: 'Correct `endpoint`: it must be the base of a registry of the v0.1 API.',
  });
}

/** The error of a registry that holds more than a source may bring. */
export function refuseAmount(what: string, url: string): BerthError {
  return new BerthError('source_too_large', `The registry holds more than ${what}.`, {
    at: { url },
    fix: 'Name a registry that holds less.',
  });
}

/** Failures of the network as failures of the source; everything else as it is. */
export function explainFailure(error: unknown, url: string): unknown {
  if (!(error instanceof BerthError) || !error.code.startsWith('net_')) return error;
  return new BerthError(`source_${error.code.slice('net_'.length)}`, error.message, {
    at: { url },
    cause: error,
    ...(error.fix === undefined ? {} : { fix: error.fix }),
  });
}
