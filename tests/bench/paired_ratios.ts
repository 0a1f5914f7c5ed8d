/** `a / b`, round by round: what slows the machine for a while slows both sides of a round. */
export function pairedRatios(a: readonly number[], b: readonly number[]): number[] {
  return a.map((sample, round) => sample / (b[round] ?? NaN));
}
