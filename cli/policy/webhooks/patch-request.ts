import { applyPatch } from 'rfc6902';
import { z } from 'zod';
import { BerthError } from '../../../sources/errors.ts';
import type { PatchOperation } from './webhook-answer.ts';

const ROOT = '/mcp_request';

const requestSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.unknown(),
  method: z.string().min(1),
});

/**
 * Applies the patch of a mutating webhook to a copy of the request (RFC 6902, contract 5). Only `/mcp_request` may be
 * touched, and what comes out must still be the request that its sender waits for: the same id.
 * @throws BerthError `webhook_patch_refused`
 */
export function patchRequest(request: unknown, operations: readonly PatchOperation[]): unknown {
  for (const operation of operations) {
    checkPointer(operation.path);
    if ('from' in operation) checkPointer(operation.from);
  }
  const document: { mcp_request: unknown } = { mcp_request: structuredClone(request) };
  const failed = applyPatch(document, [...operations]).find((error) => error !== null);
  if (failed) throw refuse(`an operation cannot be applied (${failed.name})`);
  const before = requestSchema.safeParse(request);
  const after = requestSchema.safeParse(document.mcp_request);
  if (!after.success) throw refuse('what comes out is no JSON-RPC request');
  if (before.success && JSON.stringify(before.data.id) !== JSON.stringify(after.data.id))
    throw refuse('the id of the request was changed');
  return document.mcp_request;
}

function checkPointer(path: string): void {
  if (path !== ROOT && !path.startsWith(`${ROOT}/`))
    throw refuse(`it touches ${path.slice(0, 100) || 'the whole document'}`);
}

function refuse(why: string): BerthError {
  return new BerthError('webhook_patch_refused', `The patch of a webhook is refused: ${why}.`, {
    fix: 'A patch may only touch /mcp_request.',
  });
}
