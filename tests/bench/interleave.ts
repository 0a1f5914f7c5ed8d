/**
 * Measures every side once in each round, so that all of them meet the same moods of the machine. A round before the
 * first fills caches and wakes compilers, and does not count.
 */
export async function interleave<Side extends string>(
  sides: Readonly<Record<Side, () => Promise<number>>>,
  rounds: number,
): Promise<Record<Side, number[]>> {
  const names = Object.keys(sides) as Side[];
  const samples = Object.fromEntries(names.map((name) => [name, new Array<number>()])) as Record<
    Side,
    number[]
  >;
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const sample = await sides[name]();
      if (round > 0) samples[name].push(sample);
    }
  }
  return samples;
}
