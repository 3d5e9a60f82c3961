import { z } from 'zod';
import type { SignInDeps } from '../../../../server/site/sign-in/create-sign-in.ts';

const documentSchema = z.record(z.string(), z.unknown());

/**
 * The `fetch` of a provider one of whose answers is another than it gave.
 * @param suffix how the address of that answer ends
 */
export function changeAnswers(
  suffix: string,
  change: (document: Record<string, unknown>) => object,
): NonNullable<SignInDeps['fetchFor']> {
  return () => async (input, init) => {
    const response = await fetch(input, init);
    if (!String(input).endsWith(suffix)) return response;
    return Response.json(change(documentSchema.parse(await response.json())));
  };
}
