/**
 * How often a storm of publishes is killed: `BERTH_STORM_ROUNDS`, or what a test takes without it.
 * @param usual for runs that should be short
 */
export function readStormRounds(usual: number): number {
  const wanted = process.env.BERTH_STORM_ROUNDS;
  if (wanted === undefined) return usual;
  const rounds = Number(wanted);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new RangeError(`BERTH_STORM_ROUNDS is no number of rounds: ${wanted}`);
  return rounds;
}
