import { readFile } from 'node:fs/promises';
import { Agent, request } from 'undici';
import { BerthError, messageOf } from '../../../sources/errors.ts';
import { readCaBundle } from '../../read-ca-bundle.ts';
import { requireSecret } from '../../secrets/require-secret.ts';
import type { SecretStore } from '../../secrets/secret-store.ts';
import { signPayload } from './sign-payload.ts';
import { type WebhookAnswer, webhookAnswerSchema } from './webhook-answer.ts';
import type { Webhook } from './webhook-config.ts';

const MAX_ANSWER_BYTES = 1_048_576;

/** The payload of contract 5. */
export interface WebhookPayload {
  readonly version: 'v0.1.0';
  readonly uid: string;
  readonly timestamp: string;
  readonly principal: Readonly<Record<string, unknown>> | null;
  readonly mcp_request: unknown;
  readonly context: Readonly<Record<string, unknown>>;
}

export interface WebhookCaller {
  readonly webhook: Webhook;
  /** @throws BerthError `webhook_failed` when there is no answer that can be understood */
  call(payload: WebhookPayload): Promise<WebhookAnswer>;
  close(): Promise<void>;
}

/**
 * Makes ready to call a webhook: its certificates are read and its signing secret is fetched now, so that what is
 * missing stops the start rather than a request.
 * @param now milliseconds since the epoch
 * @throws BerthError `secret_missing`, `webhook_tls`
 */
export async function openWebhook(
  webhook: Webhook,
  deps: { readonly secrets: SecretStore; readonly now: () => number; readonly caBundle: string | undefined },
): Promise<WebhookCaller> {
  const { hmac_secret_ref: ref } = webhook;
  const secret = ref === undefined ? undefined : await requireSecret(deps.secrets, ref);
  const agent = new Agent({ connect: await readTls(webhook, deps.caBundle), keepAliveTimeout: 30_000 });
  const timeoutMs = webhook.timeout * 1000;
  const fail = (why: string, cause?: unknown) =>
    new BerthError(
      'webhook_failed',
      `The webhook ${webhook.name} ${why}.`,
      cause === undefined ? {} : { cause },
    );
  return {
    webhook,
    async call(payload) {
      const body = Buffer.from(JSON.stringify(payload));
      const timestamp = String(Math.floor(deps.now() / 1000));
      const headers: Record<string, string> = {
        'content-type': 'application/json',
        accept: 'application/json',
        'x-berth-timestamp': timestamp,
        ...(secret === undefined ? {} : { 'x-berth-signature': signPayload(secret, timestamp, body) }),
      };
      const signal = AbortSignal.timeout(timeoutMs);
      let text: string;
      try {
        const answer = await request(webhook.url, {
          method: 'POST',
          headers,
          body,
          dispatcher: agent,
          signal,
        });
        if (answer.statusCode !== 200) {
          await answer.body.dump();
          throw fail(`answered ${answer.statusCode}`);
        }
        text = await readBounded(answer.body);
      } catch (error) {
        if (error instanceof BerthError) throw error;
        throw signal.aborted
          ? fail(`did not answer within ${webhook.timeout} s`)
          : fail(`cannot be reached: ${messageOf(error)}`, error);
      }
      const parsed = webhookAnswerSchema.safeParse(parseJson(text));
      if (!parsed.success) throw fail('answered something that is no decision');
      if (parsed.data.uid !== undefined && parsed.data.uid !== payload.uid)
        throw fail('answered another request');
      return parsed.data;
    },
    close: () => agent.close(),
  };
}

async function readTls(webhook: Webhook, caBundle: string | undefined): Promise<object> {
  const { ca_bundle_path, client_cert_path, client_key_path, insecure_skip_verify } =
    webhook.tls_config ?? {};
  const read = async (file: string | undefined): Promise<Buffer | undefined> => {
    if (file === undefined) return undefined;
    return readFile(file).catch((cause: unknown) => {
      throw new BerthError(
        'webhook_tls',
        `A file of the webhook ${webhook.name} cannot be read: ${messageOf(cause)}.`,
        {
          at: { file },
          fix: 'Correct its path in tls_config.',
          cause,
        },
      );
    });
  };
  const [own, cert, key] = await Promise.all([
    read(ca_bundle_path),
    read(client_cert_path),
    read(client_key_path),
  ]);
  const ca = own ?? readCaBundle(caBundle);
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(insecure_skip_verify === true ? { rejectUnauthorized: false } : {}),
  };
}

async function readBounded(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new Error(`more than ${MAX_ANSWER_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
