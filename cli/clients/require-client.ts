import { suggestName } from '../../sources/config/nearest-name.ts';
import { BerthError } from '../../sources/errors.ts';
import { AI_CLIENTS, type AiClient } from './client-table.ts';

/**
 * The AI client called so.
 * @throws BerthError `client_unknown` with the nearest name
 */
export function requireClient(name: string): AiClient {
  const client = AI_CLIENTS.find((known) => known.name === name);
  if (client) return client;
  const names = AI_CLIENTS.map((known) => known.name);
  throw new BerthError('client_unknown', `There is no AI client "${name}".`, {
    fix: suggestName(name, names) ?? `Known are ${names.join(', ')}.`,
  });
}
