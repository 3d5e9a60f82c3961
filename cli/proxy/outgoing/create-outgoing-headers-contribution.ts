import { BerthError } from '../../../sources/errors.ts';
import type { Plan } from '../../run/plan.ts';
import { requireSecret } from '../../secrets/require-secret.ts';
import type { SecretStore } from '../../secrets/secret-store.ts';
import type { Contribution } from '../exchange.ts';

/**
 * The link that adds the headers of `--remote-forward-headers` and `--remote-forward-headers-secret` to each request;
 * their values win over the client's (specification 5.2, contract 8).
 *
 * @returns undefined when there are none
 * @throws BerthError `secret_missing`, `secret_unusable`
 */
export async function createOutgoingHeadersContribution(
  { forwardHeaders }: Pick<Plan, 'forwardHeaders'>,
  secrets: SecretStore,
): Promise<Contribution | undefined> {
  if (forwardHeaders === undefined) return undefined;
  const headers: (readonly [string, string])[] = Object.entries(forwardHeaders.plain).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  for (const [name, secret] of Object.entries(forwardHeaders.secret)) {
    const value = (await requireSecret(secrets, secret)).trim();
    if (!/^[\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new BerthError(
        'secret_unusable',
        `The secret "${secret}" cannot be the value of the header ${name}.`,
        {
          fix: 'A header value is one line.',
        },
      );
    }
    headers.push([name.toLowerCase(), value]);
  }
  if (headers.length === 0) return undefined;
  return {
    stages: {
      'outgoing-headers': (exchange, next) => {
        for (const [name, value] of headers) exchange.outgoing.set(name, value);
        return next();
      },
    },
    needsMcp: false,
    close: async () => undefined,
  };
}
