import { CHAIN_ORDER, type Contribution, type Exchange, type Stage, type StageName } from './exchange.ts';

/**
 * Puts the links that exist into the order of contract 5 and ends the chain with `last`. A name that several
 * contributions fill has their links one after the other.
 */
export function composeChain(
  contributions: readonly Pick<Contribution, 'stages'>[],
  names: readonly StageName[],
  last: (exchange: Exchange) => Promise<void>,
): (exchange: Exchange) => Promise<void> {
  const links: Stage[] = CHAIN_ORDER.filter((name) => names.includes(name)).flatMap((name) =>
    contributions.flatMap(({ stages }) => stages[name] ?? []),
  );
  return links.reduceRight<(exchange: Exchange) => Promise<void>>(
    (next, stage) => (exchange) => stage(exchange, () => next(exchange)),
    last,
  );
}
