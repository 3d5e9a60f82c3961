import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { parseDuration } from '../../../sources/config/duration.ts';
import { isLoopbackName } from '../../../sources/net/address-guard.ts';
import { readStrictFile } from '../read-strict-file.ts';

const SECOND_MS = 1000;

/** Seconds, or a duration such as `5s`; 1 to 30 s (contract 5, 8). Stored as milliseconds below, as given in files. */
const timeout = z
  .union([z.number(), z.string()])
  .default(10)
  .transform((given, context) => {
    const bare = typeof given === 'string' && /^\d+(\.\d+)?$/.test(given) ? Number(given) : given;
    const ms = typeof bare === 'number' ? bare * SECOND_MS : parseDuration(bare);
    if (ms !== undefined && ms >= SECOND_MS && ms <= 30 * SECOND_MS) return ms / SECOND_MS;
    context.addIssue({
      code: 'custom',
      message: 'must be 1 to 30 seconds, as a number or a duration such as 5s',
    });
    return z.NEVER;
  });

const webhookSchema = z
  .strictObject({
    name: z.string().min(1),
    url: z.url({ protocol: /^https?$/ }),
    timeout,
    failure_policy: z.enum(['fail', 'ignore']).default('fail'),
    tls_config: z
      .strictObject({
        ca_bundle_path: z.string().min(1).optional(),
        client_cert_path: z.string().min(1).optional(),
        client_key_path: z.string().min(1).optional(),
        insecure_skip_verify: z.boolean().default(false),
      })
      .optional(),
    /** Name of the secret in the store. */
    hmac_secret_ref: z.string().min(1).optional(),
  })
  .superRefine((webhook, context) => {
    const { protocol, hostname } = new URL(webhook.url);
    const insecure = webhook.tls_config?.insecure_skip_verify === true;
    if (protocol === 'http:' && !(insecure && isLoopbackName(hostname))) {
      context.addIssue({
        code: 'custom',
        path: ['url'],
        message: 'must be https (plain http works for loopback with tls_config.insecure_skip_verify only)',
      });
    }
    const { client_cert_path, client_key_path } = webhook.tls_config ?? {};
    if ((client_cert_path === undefined) !== (client_key_path === undefined)) {
      context.addIssue({
        code: 'custom',
        path: ['tls_config'],
        message: 'needs client_cert_path and client_key_path together',
      });
    }
  });

export const webhooksSchema = z.strictObject({
  validating: z.array(webhookSchema).default([]),
  mutating: z.array(webhookSchema).default([]),
});
export type Webhook = z.infer<typeof webhookSchema>;
export type Webhooks = z.infer<typeof webhooksSchema>;

/**
 * Reads the files of `--webhook-config` (JSON or YAML, strict) and merges them in their order: a webhook of a name
 * that was there before takes its place. Paths in a file start at its directory.
 * @throws ConfigError `config_invalid`
 */
export function readWebhookFiles(
  files: readonly { readonly text: string; readonly file: string }[],
): Webhooks {
  const read = files.map(({ text, file }) => {
    const { validating, mutating } = readStrictFile(text, file, webhooksSchema);
    const place = (webhook: Webhook) => placeFiles(webhook, dirname(file));
    return { validating: validating.map(place), mutating: mutating.map(place) };
  });
  return {
    validating: mergeByName(read.flatMap((one) => one.validating)),
    mutating: mergeByName(read.flatMap((one) => one.mutating)),
  };
}

function placeFiles(webhook: Webhook, directory: string): Webhook {
  if (webhook.tls_config === undefined) return webhook;
  const tls = { ...webhook.tls_config };
  for (const name of ['ca_bundle_path', 'client_cert_path', 'client_key_path'] as const) {
    if (tls[name] !== undefined) tls[name] = resolve(directory, tls[name]);
  }
  return { ...webhook, tls_config: tls };
}

function mergeByName(webhooks: readonly Webhook[]): Webhook[] {
  return [...new Map(webhooks.map((webhook) => [webhook.name, webhook])).values()];
}
