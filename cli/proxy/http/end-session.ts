import type { AskingDeps } from './asking-deps.ts';

/** Ends a session that nobody uses any more. */
export async function endSession(
  { options, pools }: AskingDeps,
  session: { readonly id: string; readonly version: string | undefined },
): Promise<void> {
  const target = options.target();
  if (target === undefined) return;
  const headers = {
    ...(await options.credentials?.()),
    host: options.hostHeader ?? target.host,
    'mcp-session-id': session.id,
    ...(session.version === undefined ? {} : { 'mcp-protocol-version': session.version }),
  };
  const path = target.pathname + target.search;
  const { body } = await pools.find(target.origin).request({ path, method: 'DELETE', headers });
  await body.dump();
}
