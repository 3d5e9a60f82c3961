import { HttpError } from '../http/problem.ts';
import type { RememberDelivery } from './remembered-deliveries.ts';
import { verifySignature } from './verify-signature.ts';

/** What git servers send at most is far less; the limit of the API would be too little for a big push. */
export const HOOK_BODY_BYTES = 5 * 1024 * 1024;

const DELIVERY_HEADERS = ['x-github-delivery', 'x-gitea-delivery', 'x-gitlab-event-uuid'];
const DELIVERY_ID_LENGTH = 256;

export interface GitHook {
  /** By lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Exactly the bytes received: they are what is signed. */
  readonly body: Uint8Array;
  /** The source named in the path. */
  readonly source: string;
  readonly secret: string;
  /** Whether a source can be fetched; undefined when there is none of that name. */
  readonly findSource: (name: string) => 'syncable' | 'not_syncable' | undefined;
  readonly remember: RememberDelivery;
}

/** The body of the 202; only `accepted` asks for a sync. */
export interface HookAnswer {
  readonly status: 'accepted' | 'duplicate';
}

/**
 * Decides what a delivery to `POST /hooks/git/{source}` brings (contract 2 `hooks`, 12.14). The signature is checked
 * before the name, so that outsiders learn no names.
 * @throws HttpError 401 `hook_signature_invalid`, 404 `source_not_found`, 409 `source_not_syncable`
 */
export function answerGitHook(hook: GitHook): HookAnswer {
  if (!verifySignature(hook.header, hook.body, hook.secret)) {
    throw new HttpError(
      401,
      'hook_signature_invalid',
      'The delivery is not signed with the secret of this service: check the secret of the webhook.',
      { headers: { 'WWW-Authenticate': 'Signature realm="git-hooks"' } },
    );
  }
  const found = hook.findSource(hook.source);
  if (found === undefined) throw new HttpError(404, 'source_not_found', 'There is no source of that name.');
  if (found === 'not_syncable') {
    throw new HttpError(
      409,
      'source_not_syncable',
      'Sources of this kind are not fetched, so there is nothing to sync.',
    );
  }
  const delivery = readDeliveryId(hook.header);
  if (delivery === undefined || hook.remember(`${hook.source} ${delivery}`)) return { status: 'accepted' };
  return { status: 'duplicate' };
}

function readDeliveryId(header: GitHook['header']): string | undefined {
  for (const name of DELIVERY_HEADERS) {
    const id = header(name)?.trim();
    if (id && id.length <= DELIVERY_ID_LENGTH) return id;
  }
  return undefined;
}
